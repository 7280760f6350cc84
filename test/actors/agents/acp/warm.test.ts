/** A process that serves step after step, with the eyes of the garbage collector. */
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
