// What Claude Code makes of session files, by the reader of its own SDK, from the package that the
// script `install` fetched.
//
// usage: CLAUDE_CONFIG_DIR=… node claude.mjs FOLDER COMMAND …      FOLDER is where `install` put the agents
//   list CWD                     the sessions of a working folder, as listSessions gives them
//   messages SESSION_ID CWD      those of the branch that is resumed: getSessionMessages, system ones included
//   subagents SESSION_ID CWD     [{id, messages}]: listSubagents, and getSubagentMessages of each
//
// The files lie in CLAUDE_CONFIG_DIR/projects/SLUG; without the variable this would be the user's own
// folder, so it must be set. Prints one line of JSON; {error} and exit status 1 when the SDK throws.
// A session that it does not find is an empty list.
import path from "node:path";
import { pathToFileURL } from "node:url";

import { answer } from "./answer.mjs";

const [folder, command, ...given] = process.argv.slice(2);
if (!command) throw new Error("usage: node claude.mjs FOLDER COMMAND …");
if (!process.env.CLAUDE_CONFIG_DIR) throw new Error("CLAUDE_CONFIG_DIR is not set");

const sdk = await import(pathToFileURL(path.resolve(folder, "node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs")));

const list = (dir) => sdk.listSessions({ dir });
const messages = (id, dir) => sdk.getSessionMessages(id, { dir, includeSystemMessages: true });
const subagents = async (id, dir) => Promise.all((await sdk.listSubagents(id, { dir })).map(async (agent) =>
  ({ id: agent, messages: await sdk.getSubagentMessages(id, agent, { dir }) })));

await answer({ list, messages, subagents }, command, given);
