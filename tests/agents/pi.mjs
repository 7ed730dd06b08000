// What pi makes of session files: its own code, from the package that the script `install` fetched.
//
// usage: node pi.mjs FOLDER COMMAND …           FOLDER is where `install` put the agents
//   open FILE                     {id, cwd, name, leaf, entries: [{id, parentId, type}], context, model, thinkingLevel}
//   append FILE TEXT              goes on with the session as pi does after a prompt: {id, parentId}
//   list SESSIONS_DIR CWD         those of a working folder: [{path, id, cwd, name, messageCount, firstMessage}]
//   list-all SESSIONS_DIR         those of all
//   time-list-all SESSIONS_DIR    {milliseconds, runs, sessions}: the best of three in this process
//   time-open FILE                {milliseconds, runs, entries, messages}: opened, and the context built
//
// SESSIONS_DIR is the folder that pi calls ~/.pi/agent/sessions. Prints one line of JSON; what pi refuses is
// {error} and exit status 1. Like pi itself, `open` changes a file: it ends a torn last line, and
// rewrites versions 1 and 2.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { answer } from "./answer.mjs";

const RUNS = 3;
const [folder, command, ...given] = process.argv.slice(2);
if (!command) throw new Error("usage: node pi.mjs FOLDER COMMAND …");

if (Number(process.versions.node.split(".")[0]) < 26) {
  const node = path.resolve(folder, "node_modules/node/bin/node");
  const run = spawnSync(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  if (run.error) throw run.error;
  process.exit(run.status ?? 1);
}

// The bundle is what the program pi runs; it needs no other package.
const { SessionManager } = await import(
  pathToFileURL(path.resolve(folder, "node_modules/@earendil-works/pi-coding-agent/dist/bundle/index.js")));

// pi takes a path at which there is nothing for a session that is still to be written.
function opened(file) {
  if (!fs.existsSync(file)) throw new Error(`no such file: ${file}`);
  return SessionManager.open(file);
}

function open(file) {
  const session = opened(file);
  const { messages, model, thinkingLevel } = session.buildSessionContext();
  return {
    id: session.getSessionId(),
    cwd: session.getCwd(),
    name: session.getSessionName(),
    leaf: session.getLeafId(),
    entries: session.getEntries().map(({ id, parentId, type }) => ({ id, parentId, type })),
    context: messages,
    model,
    thinkingLevel,
  };
}

function append(file, text) {
  const session = opened(file);
  const parentId = session.getLeafId();
  const id = session.appendMessage({ role: "user", content: [{ type: "text", text }], timestamp: Date.now() });
  return { id, parentId };
}

// pi looks for sessions below its own folder, and makes the one of a working folder when it is not there.
// So it gets a folder that is gone afterwards, with links to those of the store.
async function inFolderOfPi(sessionsDir, look) {
  const agentDir = fs.mkdtempSync(path.join(os.tmpdir(), "logwood-pi-"));
  process.env.PI_CODING_AGENT_DIR = agentDir;
  try {
    const inside = path.join(agentDir, "sessions");
    fs.mkdirSync(inside);
    for (const found of fs.readdirSync(sessionsDir, { withFileTypes: true }))
      if (found.isDirectory()) fs.symlinkSync(path.resolve(sessionsDir, found.name), path.join(inside, found.name));
    return await look();
  } finally {
    fs.rmSync(agentDir, { recursive: true });
  }
}

const listed = (sessions) => sessions.map(({ path: file, id, cwd, name, messageCount, firstMessage }) =>
  ({ path: fs.realpathSync(file), id, cwd, name, messageCount, firstMessage }));
const list = (sessionsDir, cwd) => inFolderOfPi(sessionsDir, async () => listed(await SessionManager.list(cwd)));
const listAll = (sessionsDir) => inFolderOfPi(sessionsDir, async () => listed(await SessionManager.listAll()));

async function timed(work) {
  const runs = [];
  let counts;
  for (let run = 0; run < RUNS; ++run) {
    const start = performance.now();
    counts = await work();
    runs.push(Number((performance.now() - start).toFixed(1)));
  }
  return { milliseconds: Math.min(...runs), runs, ...counts };
}

const timeListAll = (sessionsDir) => inFolderOfPi(sessionsDir, () =>
  timed(async () => ({ sessions: (await SessionManager.listAll()).length })));

function timeOpen(file) {
  return timed(() => {
    const session = opened(file);
    const { messages } = session.buildSessionContext();
    return { entries: session.getEntries().length, messages: messages.length };
  });
}

await answer({ open, append, list, "list-all": listAll, "time-list-all": timeListAll, "time-open": timeOpen }, command,
  given);
