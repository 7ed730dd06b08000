// Speaks the streaming APIs of Anthropic, OpenAI chat and Gemini on the loopback, as strictly as they
// do: every request goes through the validators of tests/providers, and thinking is signed together
// with everything that came before it.
//
// Prints its port, then a line for each request it refuses. What it answers depends on what was asked:
//   "tool: COMMAND"    a call of the tool `run`
//   results of tools   "done"
//   anything else      "answer to …"
// POST /kill {pid, moment: "stream" | "append", after_us} ends that process at the next answer.
import crypto from "node:crypto";
import http from "node:http";
import { VALIDATE } from "../providers/validators/index.mjs";

let kill = null;
let calls = 0;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
// It may be gone already: what it sent last can be answered after its death.
const end = (pid) => { try { process.kill(pid, "SIGKILL"); } catch (error) { if (error.code !== "ESRCH") throw error; } };
const sorted = (value) => Array.isArray(value) ? value.map(sorted)
  : value && typeof value === "object"
    ? Object.fromEntries(Object.keys(value).filter((key) => key !== "cache_control").sort().map((key) => [key, sorted(value[key])]))
    : value;
const signature = (request, count) => crypto.createHash("sha256")
  .update(JSON.stringify(sorted([request.system ?? null, request.tools ?? null, request.messages.slice(0, count)]))).digest("base64");

function refusal(api, model, request) {
  const faults = VALIDATE[api](request, { model }).filter((fault) => fault.level === "error");
  if (faults.length) return faults.map((fault) => `${fault.rule} at ${fault.path}`).join(", ");
  if (api !== "anthropic-messages") return null;
  for (const [i, message] of request.messages.entries())
    for (const block of Array.isArray(message.content) ? message.content : [])
      if (block.type === "thinking" && block.signature !== signature(request, i))
        return `Invalid signature in thinking block of messages.${i}`;
  return null;
}

// What the last thing said was: a text, or results.
function lastSaid(api, request) {
  if (api === "gemini") {
    const parts = request.contents.at(-1).parts;
    return parts.some((part) => part.functionResponse) ? null : parts.map((part) => part.text ?? "").join("");
  }
  const last = request.messages.at(-1);
  if (last.role === "tool") return null;
  if (typeof last.content === "string") return last.content;
  return last.content.some((block) => block.type === "tool_result") ? null
    : last.content.map((block) => block.text ?? "").join("");
}

function* anthropicEvents(request, text, command) {
  const usage = { input_tokens: 10, output_tokens: 1 };
  yield { type: "message_start", message: { id: `msg_${++calls}`, type: "message", role: "assistant", model: request.model, content: [], stop_reason: null, usage } };
  yield { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } };
  yield { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Let me see. " } };
  yield { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: signature(request, request.messages.length) } };
  yield { type: "content_block_stop", index: 0 };
  yield { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } };
  for (const piece of text.match(/.{1,4}/gs) ?? []) yield { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: piece } };
  yield { type: "content_block_stop", index: 1 };
  if (command) {
    yield { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: `toolu_${++calls}`, name: "run", input: {} } };
    for (const piece of JSON.stringify({ command }).match(/.{1,9}/gs)) yield { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: piece } };
    yield { type: "content_block_stop", index: 2 };
  }
  yield { type: "message_delta", delta: { stop_reason: command ? "tool_use" : "end_turn" }, usage: { output_tokens: 20 } };
  yield { type: "message_stop" };
}

function* chatEvents(request, text, command) {
  const chunk = (delta, finish_reason = null) => ({ object: "chat.completion.chunk", model: request.model, choices: [{ index: 0, delta, finish_reason }] });
  for (const piece of text.match(/.{1,4}/gs) ?? []) yield chunk({ content: piece });
  if (command) {
    const given = JSON.stringify({ command });
    yield chunk({ tool_calls: [{ index: 0, id: `call_${++calls}`, type: "function", function: { name: "run", arguments: "" } }] });
    for (const piece of given.match(/.{1,9}/gs)) yield chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
  }
  yield chunk({}, command ? "tool_calls" : "stop");
  yield "[DONE]";
}

function* geminiEvents(request, text, command) {
  const chunk = (parts, finishReason) => ({ candidates: [{ content: { role: "model", parts }, ...(finishReason ? { finishReason } : {}) }] });
  for (const piece of text.match(/.{1,4}/gs) ?? []) yield chunk([{ text: piece }]);
  if (command) yield chunk([{ functionCall: { id: `fc-${++calls}`, name: "run", args: { command } }, thoughtSignature: Buffer.from(`sig${calls}`).toString("base64") }]);
  yield { ...chunk([], "STOP"), usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 20 } };
}

async function answer(api, model, request, response) {
  const refused = refusal(api, model, request);
  if (refused) {
    console.log(`REFUSED ${api}: ${refused}`);
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error: { message: refused } }));
    return;
  }
  const said = lastSaid(api, request);
  const command = said?.startsWith("tool: ") ? said.slice(6) : null;
  const text = said === null ? "done" : command ? "I will look." : `answer to ${said}`;
  const events = [...{ "anthropic-messages": anthropicEvents, "openai-chat": chatEvents, gemini: geminiEvents }[api](request, text, command)];
  const ending = kill;
  kill = null;
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [i, event] of events.entries()) {
    if (ending?.moment === "stream" && i === Math.floor(events.length / 2)) {
      end(ending.pid);
      response.destroy();
      return;
    }
    response.write(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
    if (i % 4 === 3) await sleep(0);
  }
  response.end();
  if (ending?.moment === "append") {
    const until = process.hrtime.bigint() + BigInt(ending.after_us) * 1000n;
    while (process.hrtime.bigint() < until);
    end(ending.pid);
  }
}

const server = http.createServer((incoming, response) => {
  let body = "";
  incoming.on("data", (piece) => { body += piece; });
  incoming.on("end", async () => {
    const request = JSON.parse(body);
    const gemini = /^\/v1beta\/models\/([^:]+):streamGenerateContent/.exec(incoming.url);
    if (incoming.url === "/kill") {
      kill = request;
      response.end("{}");
    } else if (incoming.url === "/v1/messages") await answer("anthropic-messages", request.model, request, response);
    else if (incoming.url === "/v1/chat/completions") await answer("openai-chat", request.model, request, response);
    else if (gemini) await answer("gemini", gemini[1], request, response);
    else response.writeHead(404).end();
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
