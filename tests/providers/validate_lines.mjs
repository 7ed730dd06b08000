// Reads {where, api, model, flavor, request} a line and prints what an API would refuse.
import readline from "node:readline";
import { VALIDATE } from "./validators/index.mjs";

let refused = 0;
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { where, api, model, flavor, request } = JSON.parse(line);
  for (const found of VALIDATE[api](request, { model, flavor })) {
    if (found.level !== "error") continue;
    console.log(`${where}: ${found.rule} at ${found.path} ${found.msg ?? ""}`);
    ++refused;
  }
}
process.exit(refused ? 1 : 0);
