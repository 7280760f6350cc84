/** A process that serves step after step, with the eyes of the garbage collector. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { place } from "./support.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** An agent that has something left to say of its first conversation while the second one opens. */
const LATE = `const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const word = (sessionId, text) =>
  say({ method: "session/update", params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
let many = 0;
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1 } });
  if (method === "session/new") {
    many += 1;
    if (many > 1) word("s1", "late of s1, ");
    say({ id, result: { sessionId: "s" + many } });
  }
  if (method !== "session/prompt") return;
  word(params.sessionId, "said in " + params.sessionId);
  say({ id, result: { stopReason: "end_turn" } });
});`;

test("does not put what comes late of a step before into the answer of the next one", async () => {
  const { turn } = place({ args: ["-e", LATE] });
  expect([await turn("a"), await turn("b")]).toMatchObject([{ text: "said in s1" }, { text: "said in s2" }]);
});

/** An agent that, in its second conversation, still reads, writes and runs for its first one, and says what came of it. */
const STRAY = `const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
let many = 0;
let prompt = null;
const came = [];
const asks = [
  ["fs/read_text_file", { path: process.cwd() + "/f" }],
  ["fs/write_text_file", { path: process.cwd() + "/f", content: "stray" }],
  ["terminal/create", { command: "true" }],
];
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, error } = JSON.parse(line);
  if (method === "initialize") return say({ id, result: { protocolVersion: 1 } });
  if (method === "session/new") return say({ id, result: { sessionId: "s" + ++many } });
  if (method === "session/prompt") {
    prompt = { id, sessionId: params.sessionId };
    if (many === 1) return say({ id, result: { stopReason: "end_turn" } });
    for (const [at, [method, of]] of asks.entries()) say({ id: "a" + at, method, params: { sessionId: "s1", ...of } });
    return;
  }
  if (method !== undefined || !String(id).startsWith("a")) return;
  came.push(error === undefined ? "done" : error.message);
  if (came.length < asks.length) return;
  const text = came.join("; ");
  say({ method: "session/update", params: { sessionId: prompt.sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
  say({ id: prompt.id, result: { stopReason: "end_turn" } });
});`;

test("reads, writes and runs nothing for a conversation that is over, and asks nobody", async () => {
  const { turn, cwd, asked } = place({ args: ["-e", STRAY], files: "write", terminal: true });
  writeFileSync(join(cwd, "f"), "kept");
  await turn("a");
  const { text } = await turn("b");
  const refused = "Invalid request: no prompt of this session is at work";
  expect([text, asked, readFileSync(join(cwd, "f"), "utf8")]).toEqual([
    `${refused}; ${refused}; ${refused}`,
    [],
    "kept",
  ]);
});

test("holds nothing of the steps that it has served", async () => {
  const { turn } = place();
  const steps: WeakRef<object>[] = [];
  const step = async (): Promise<void> => {
    const memory = { read: async () => [], add: async () => undefined };
    steps.push(new WeakRef(memory));
    await turn("say a", { memory });
  };
  for (let at = 0; at < 6; at++) await step();
  const held = (): number => {
    collect();
    return steps.filter((one) => one.deref() !== undefined).length;
  };
  await expect.poll(held, { timeout: 10_000 }).toBeLessThan(3);
});
