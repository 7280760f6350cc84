/** A command's output for a client that shows terminals told by `_meta`: `terminal-output.ts`. */
import { expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { MAX_TAIL_BYTES } from "../../../projections/acp/tail.ts";
import { log, reader, say, stepEnded, stepStarted } from "./support.ts";

type Shown = { sessionUpdate: string; content?: unknown; _meta?: { [name: string]: object }; status?: string };
const PLACE = { terminalOutput: { cwd: "/work" } };

/** The cards' updates of rows that come one after the other, each long after the one before it. */
function shown(rows: readonly Row[], options: object = PLACE, apart = 1_000): Shown[] {
  const one = reader(options);
  for (const row of log(...rows)) {
    one.push([row]);
    one.pass(apart);
  }
  one.stop();
  return one.shown.flat().flatMap((view) => ("update" in view ? [view.update as Shown] : []));
}
const text = (offset: number, words: string): Row => say("tool.update", "r", "a", { block: "b", offset, text: words });
const dataIn = (updates: readonly Shown[]): string =>
  updates.map(({ _meta }) => (_meta?.["terminal_output"] as { data: string } | undefined)?.data ?? "").join("");
const terminal = { type: "terminal", terminalId: "r/a" };
const card = { toolCallId: "r/a" };

test("a step's output is announced, shown from its first piece on, and ended with its exit code (I1, I3)", () => {
  const failed = stepEnded("r", "a", "command", { status: "failed", exitCode: 3 });
  expect(shown([stepStarted("r", "a", "command"), text(0, "one\n"), text(4, "two\n"), failed])).toEqual([
    {
      ...card,
      ...{ sessionUpdate: "tool_call", title: "a", kind: "execute", status: "in_progress" },
      _meta: { terminal_info: { terminal_id: "r/a", cwd: "/work" } },
    },
    update({ content: [terminal], _meta: { terminal_output: { terminal_id: "r/a", data: "one\n" } } }),
    update({ content: [terminal], _meta: { terminal_output: { terminal_id: "r/a", data: "two\n" } } }),
    update({
      status: "failed",
      rawOutput: { exitCode: 3 },
      content: [terminal, { type: "content", content: { type: "text", text: "Failed" } }],
      _meta: {
        terminal_exit: { terminal_id: "r/a", exit_code: 3, signal: null },
        "troupe/failed": [expect.objectContaining({ address: "a", exitCode: 3, stdout: ["one", "two"] })],
      },
    }),
  ]);
});
const update = (fields: object): object => ({ sessionUpdate: "tool_call_update", ...card, ...fields });

test("each update holds what is new, the last one the rest: joined, they are the output (I2)", () => {
  const said = Array.from({ length: 40 }, (_, i) => `line ${i}\n`);
  let offset = 0;
  const rows = said.map((one) => {
    offset += one.length;
    return text(offset - one.length, one);
  });
  const all = shown([stepStarted("r", "a", "command"), ...rows, stepEnded("r", "a", "command")], PLACE, 30);
  expect(dataIn(all)).toBe(said.join(""));
  expect(all.length).toBeLessThan(20);
  expect(Object.keys(all.at(-1)?._meta ?? {})).toEqual(["terminal_output", "terminal_exit"]);
});

test("of a flood the end is sent, and that something is missing (I2)", () => {
  const flood = "x".repeat(3 * MAX_TAIL_BYTES);
  const one = reader(PLACE);
  one.push(log(stepStarted("r", "a", "command"), text(0, flood), text(flood.length, "\nlast\n")));
  one.stop();
  const data = dataIn(one.shown.flat().map((view) => ("update" in view ? view.update : view) as Shown));
  expect(data.length).toBeLessThanOrEqual(MAX_TAIL_BYTES);
  expect(data).toMatch(/^… \(earlier output is not shown\)\n[\s\S]*last\n$/);
});

test("a command without output shows no terminal, and ends the one it was announced with; a cancelled one says so beside its exit (I3)", () => {
  const quiet = shown([stepStarted("r", "a", "command"), stepEnded("r", "a", "command")]);
  const exit = { terminal_exit: { terminal_id: "r/a", exit_code: 0, signal: null } };
  expect(quiet.at(-1)).toEqual(update({ status: "completed", _meta: exit }));
  const cancelled = stepEnded("r", "a", "command", { status: "cancelled", exitCode: 1 });
  expect(shown([stepStarted("r", "a", "command"), text(0, "x"), cancelled]).at(-1)).toMatchObject({
    status: "failed",
    content: [terminal, { type: "content" }],
    _meta: { "troupe/cancelled": true, terminal_exit: { exit_code: 1 } },
  });
});

test("a tool that executes is shown so, other cards and other readers are not", () => {
  const call = (kind: "execute" | "read"): Row[] => [
    { type: "tool.call", run: "r", step: "a", payload: { call: "c", title: "ls", kind, status: "in_progress" } },
    say("tool.update", "r", "a", { block: "b", offset: 0, text: "out\n", call: "c" }),
    { type: "tool.result", run: "r", step: "a", payload: { call: "c", status: "completed" } },
  ];
  expect(shown(call("execute")).at(-1)?._meta).toEqual({
    terminal_exit: { terminal_id: "r/c", exit_code: 0, signal: null },
  });
  expect(dataIn(shown(call("execute")))).toBe("out\n");
  expect(shown(call("read")).filter(({ _meta }) => _meta !== undefined)).toEqual([]);
  const command = [stepStarted("r", "a", "command"), text(0, "one\n"), stepEnded("r", "a", "command")];
  const plain = shown(command, {});
  expect(plain.filter(({ _meta }) => _meta !== undefined)).toEqual([]);
  expect(JSON.stringify(plain)).toContain("```\\none");
});
