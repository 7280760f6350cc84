import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentEvent, AgentRequest } from "../../../../actors/agents/agent.ts";
import { CUT, play } from "../../../../actors/agents/understudy/play.ts";
import type { Json } from "../../../../machines/model.ts";
import { actions, awaitedAbort, folder, listener, passingClock, request, standingClock } from "./support.ts";

async function run(list: Json[], over: Partial<AgentRequest> = {}) {
  const { heard, emit } = listener();
  const clock = passingClock();
  const result = await play(actions(list), {
    request: request(over),
    emit,
    signal: new AbortController().signal,
    clock,
  });
  return { heard, result, slept: clock.slept };
}

/** Plays until an event fits, aborts there, and gives what was heard and the result. */
async function runUntil(list: Json[], fits: (event: AgentEvent) => boolean) {
  const abort = new AbortController();
  const { heard, emit } = listener();
  const stop = (event: AgentEvent) => {
    emit(event);
    if (fits(event)) abort.abort();
  };
  const result = await play(actions(list), {
    request: request(),
    emit: stop,
    signal: abort.signal,
    clock: passingClock(),
  });
  return { heard, result };
}

const diff = { path: "src/a.ts", old: "1", new: "2" };

describe(play, () => {
  test("I1, I3: a whole script, in its order", async () => {
    const { heard, result, slept } = await run([
      { think: "Hm. " },
      { say: { text: "I mend it.", chunks: 2 } },
      {
        tool: {
          id: "edit",
          title: "Edit a.ts",
          kind: "edit",
          input: { path: "src/a.ts" },
          output: { text: "ab", chunks: 2 },
          result: { ok: true },
          diff,
          locations: [{ path: "src/a.ts", line: 3 }],
        },
      },
      { wait: { seconds: 2 } },
      { usage: { inputTokens: 1 } },
      { notice: "Half way" },
      { usage: { inputTokens: 5, outputTokens: 7, cost: { amount: 0.5, currency: "EUR" } } },
      { say: " Done." },
    ]);
    expect(heard).toEqual([
      { type: "thought", text: "Hm. " },
      { type: "text", text: "I men" },
      { type: "text", text: "d it." },
      {
        type: "tool",
        tool: {
          call: "edit",
          title: "Edit a.ts",
          kind: "edit",
          status: "pending",
          input: { path: "src/a.ts" },
          locations: [{ path: "/home/ada/work/src/a.ts", line: 3 }],
        },
      },
      { type: "tool", tool: { call: "edit", status: "in_progress" } },
      { type: "tool output", call: "edit", text: "a" },
      { type: "tool output", call: "edit", text: "b" },
      {
        type: "tool",
        tool: {
          call: "edit",
          status: "completed",
          output: { ok: true },
          content: [{ type: "diff", path: "/home/ada/work/src/a.ts", oldText: "1", newText: "2" }],
        },
      },
      { type: "usage", usage: { inputTokens: 1 } },
      { type: "notice", severity: "info", message: "Half way" },
      { type: "usage", usage: { inputTokens: 5, outputTokens: 7, cost: { amount: 0.5, currency: "EUR" } } },
      { type: "text", text: " Done." },
    ]);
    expect(result).toEqual({
      status: "completed",
      text: " Done.",
      usage: { inputTokens: 5, outputTokens: 7, cost: { amount: 0.5, currency: "EUR" } },
    });
    expect(slept).toEqual([2000]);
  });

  test("I2: calls end, fail or stay as their script says", async () => {
    const { heard } = await run([
      { tool: { title: "Read", kind: "read" } },
      { tool: { title: "Run", kind: "execute", fails: "no such command", result: 127 } },
      { tool: { title: "Ask", kind: "other", fails: true } },
      { tool: { title: "Queue", kind: "fetch", status: "pending" } },
      { tool: { title: "Hang", kind: "execute", status: "in_progress", output: "..." } },
    ]);
    expect(heard).toEqual([
      { type: "tool", tool: { call: "tool-1", title: "Read", kind: "read", status: "pending" } },
      { type: "tool", tool: { call: "tool-1", status: "in_progress" } },
      { type: "tool", tool: { call: "tool-1", status: "completed" } },
      { type: "tool", tool: { call: "tool-2", title: "Run", kind: "execute", status: "pending" } },
      { type: "tool", tool: { call: "tool-2", status: "in_progress" } },
      {
        type: "tool",
        tool: { call: "tool-2", status: "failed", output: 127, content: [{ type: "text", text: "no such command" }] },
      },
      { type: "tool", tool: { call: "tool-3", title: "Ask", kind: "other", status: "pending" } },
      { type: "tool", tool: { call: "tool-3", status: "in_progress" } },
      { type: "tool", tool: { call: "tool-3", status: "failed" } },
      { type: "tool", tool: { call: "tool-4", title: "Queue", kind: "fetch", status: "pending" } },
      { type: "tool", tool: { call: "tool-5", title: "Hang", kind: "execute", status: "pending" } },
      { type: "tool", tool: { call: "tool-5", status: "in_progress" } },
      { type: "tool output", call: "tool-5", text: "..." },
    ]);
  });

  test("I2: two calls can run side by side", async () => {
    const call = (id: string, more: { [name: string]: Json }) => ({ tool: { id, title: id, kind: "search", ...more } });
    const { heard } = await run([
      call("a", { status: "pending" }),
      call("b", { status: "in_progress" }),
      call("a", { status: "in_progress" }),
      call("b", { result: "B" }),
      call("a", { output: "x" }),
    ]);
    expect(heard).toEqual([
      { type: "tool", tool: { call: "a", title: "a", kind: "search", status: "pending" } },
      { type: "tool", tool: { call: "b", title: "b", kind: "search", status: "pending" } },
      { type: "tool", tool: { call: "b", status: "in_progress" } },
      { type: "tool", tool: { call: "a", status: "in_progress" } },
      { type: "tool", tool: { call: "b", status: "completed", output: "B" } },
      { type: "tool output", call: "a", text: "x" },
      { type: "tool", tool: { call: "a", status: "completed" } },
    ]);
  });

  test("prompt and attempt are filled in once: what the prompt says stays as it is", async () => {
    const { heard, result } = await run(
      [{ say: "{{attempt}}: {{prompt}} {{other}}" }, { fail: { class: "auth", message: "try {{attempt}}" } }],
      {
        prompt: "$& {{attempt}}",
        attempt: 3,
      },
    );
    expect(heard).toEqual([{ type: "text", text: "3: $& {{attempt}} {{other}}" }]);
    expect(result).toEqual({
      status: "failed",
      class: "auth",
      message: "try 3",
      text: "3: $& {{attempt}} {{other}}",
      usage: null,
    });
  });

  test("files are written, and a path that leads out fails the step", async () => {
    const cwd = await folder();
    const { heard, result } = await run(
      [
        { write: { path: "notes/a.md", text: "for {{prompt}}" } },
        { write: { path: "../b.md", text: "" } },
        { say: "never" },
      ],
      { cwd },
    );
    expect(await readFile(join(cwd, "notes/a.md"), "utf8")).toBe("for Hello");
    expect(heard).toEqual([]);
    expect(result).toEqual({
      status: "failed",
      class: "refused",
      message: 'write: "../b.md" leads out of the step\'s folder: expected a path inside it.',
      text: "",
      usage: null,
    });
  });

  test("a crash is a throw", async () => {
    await expect(run([{ say: "a" }, { exit: "crash" }])).rejects.toThrow("The understudy crashed, as its script says.");
  });
});

describe("abort", () => {
  const cut = (text: string) => ({ status: "failed", ...CUT, text, usage: null });
  const list: Json[] = [
    { say: "a" },
    { tool: { title: "T", kind: "read", output: { text: "xy", chunks: 2 }, result: 1 } },
    { notice: "n" },
    { say: "b" },
  ];

  test("I1: after each event of a script, an abort is the end", async () => {
    const { heard: all } = await run(list);
    expect(all.length).toBe(8);
    for (const [index, last] of all.entries()) {
      let count = 0;
      const { heard, result } = await runUntil(list, () => count++ === index);
      expect(heard).toEqual(all.slice(0, index + 1));
      expect(result).toEqual(cut(last === all[7] ? "a\n\nb" : "a"));
    }
  });

  test.each<[string, Json]>([
    ["until cancelled", "until cancelled"],
    ["for a time", { seconds: 60 }],
  ])("I1: a wait %s ends", async (_, wait) => {
    const { signal, awaited, abort } = awaitedAbort();
    const { heard, emit } = listener();
    const list = actions([{ say: "a" }, { wait }, { say: "b" }]);
    const done = play(list, { request: request(), emit, signal, clock: standingClock() });
    await awaited;
    abort();
    expect(await done).toEqual(cut("a"));
    expect(heard).toEqual([{ type: "text", text: "a" }]);
  });

  test("I1: neither `fail` nor `exit` comes after an abort", async () => {
    const stop = (event: AgentEvent) => event.type === "text";
    expect((await runUntil([{ say: "a" }, { fail: { class: "auth", message: "m" } }], stop)).result).toEqual(cut("a"));
    expect((await runUntil([{ say: "a" }, { exit: "crash" }], stop)).result).toEqual(cut("a"));
  });
});
