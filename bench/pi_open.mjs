// Prints the seconds that pi takes to open a session and build its context:
// node pi_open.mjs FILE MESSAGES
import { sessionManagerOfPi } from "./pi_session_manager.mjs";

const [file, messages] = process.argv.slice(2);
const SessionManager = await sessionManagerOfPi();
const start = process.hrtime.bigint();
const context = SessionManager.open(file).buildSessionContext();
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
if (context.messages.length !== Number(messages)) {
  throw new Error(`pi's context has ${context.messages.length} messages`);
}
console.log(seconds);
