// Prints the seconds that pi takes to open a session: node pi_open.mjs FILE ENTRIES
import { sessionManagerOfPi } from "./pi_session_manager.mjs";

const [file, entries] = process.argv.slice(2);
const SessionManager = await sessionManagerOfPi();
const start = process.hrtime.bigint();
const session = SessionManager.open(file);
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
if (session.getEntries().length !== Number(entries)) throw new Error("pi did not read all entries");
console.log(seconds);
