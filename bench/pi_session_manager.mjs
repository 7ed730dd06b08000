// pi's SessionManager, from where bench/with_pi has installed it.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export async function sessionManagerOfPi() {
  const file = "node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js";
  return (await import(pathToFileURL(join(process.env.LOGWOOD_PI, file)))).SessionManager;
}
