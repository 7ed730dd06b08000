// Prints the processor seconds that pi takes to append a message of 1 KB: node pi_append.mjs FOLDER.
// pi does not sync, so this is to be compared with a buffered append.
import { sessionManagerOfPi } from "./pi_session_manager.mjs";

const [folder] = process.argv.slice(2);
const SessionManager = await sessionManagerOfPi();
const session = SessionManager.create(folder, folder);
const text = "the parser reads one line at a time and keeps what it has seen, ".repeat(15);
const append = (count) => {
  for (let i = 0; i < count; i++) {
    session.appendMessage({ role: "assistant", content: [{ type: "text", text }], timestamp: 0 });
  }
};
append(3000); // until the code is compiled
const before = process.cpuUsage();
append(3000);
const used = process.cpuUsage(before);
console.log((used.user + used.system) / 1e6 / 3000);
