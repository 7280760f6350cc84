/**
 * Fold I4: a client that comes at any row of a log, with or without open live text, holds in the end what one holds that
 * was there all along.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { beginning } from "../../../actors/facade/since.ts";
import { type Exchange, type Frame, isText, type Row, type TextRow } from "../../../machines/exchange.ts";
import { Fold, type FoldOptions } from "../../../projections/acp/fold.ts";
import { blockId } from "../../../projections/acp/text-offsets.ts";
import { Holder } from "../../support/holder.ts";
import { live, log, runEnded, runStarted, say, stepEnded, stepStarted, turnEnded, user } from "./support.ts";

const golden = readFileSync(new URL("../../acceptance/golden/log.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line): Exchange => ({ at: 1000, ...JSON.parse(line) }));

const turnStarted = (turn: string): Row => ({ type: "turn.started", payload: { turn } });
const title = (words: string): Row => ({ type: "session.updated", payload: { title: words } });
const words = (step: string, offset: number, text: string, ordinal = 1, run = "r"): Row =>
  say("message.assistant", run, step, { block: `${step}@1.${ordinal}`, offset, text });
const output = (step: string, offset: number, text: string): Row =>
  say("tool.update", "r", step, { block: `${step}@1.stdout`, offset, text, stream: "stdout" });
const question = (permission: string, step: string): Row => ({
  type: "permission.requested",
  run: "r",
  step,
  payload: {
    permission,
    title: "May it?",
    kind: "edit",
    tool: "Write",
    message: "",
    input: { path: "a" },
    options: [{ id: "yes", name: "Yes", kind: "allow_once" }],
  },
});
const tool = (type: "tool.call" | "tool.update" | "tool.result", fields: object): Row =>
  ({ type, run: "r", step: "fan/a", payload: { call: "c1", ...fields } }) as Row;

/** Branches that speak side by side, a tool that reports, questions, a retry, a call, a run that parks and continues. */
const journey = log(
  title("/journey"),
  turnStarted("t1"),
  user("t1", "/journey"),
  runStarted("r", [
    ["fan", "parallel"],
    ["build", "command"],
    ["sub", "call_workflow"],
    ["talk", "agent"],
    ["never", "command"],
  ]),
  stepStarted("r", "fan", "parallel"),
  stepStarted("r", "fan/a", "agent", true),
  stepStarted("r", "fan/b", "agent", true),
  words("fan/a", 0, "**A** begins, "),
  words("fan/b", 0, "B begins, "),
  tool("tool.call", { title: "Write a", kind: "edit", status: "pending", input: { path: "a" } }),
  tool("tool.update", { status: "in_progress", locations: [{ path: "a", line: 3 }] }),
  question("p1", "fan/a"),
  words("fan/b", 10, "goes on, "),
  {
    type: "permission.resolved",
    run: "r",
    step: "fan/a",
    payload: { permission: "p1", outcome: "selected", option: "yes" },
  },
  tool("tool.result", {
    status: "completed",
    output: 1,
    content: [{ type: "diff", path: "a", oldText: null, newText: "x" }],
  }),
  words("fan/a", 14, "ends."),
  {
    type: "usage.recorded",
    run: "r",
    step: "fan/a",
    payload: { used: 10, size: 100, cost: { amount: 1, currency: "USD" } },
  },
  stepEnded("r", "fan/a", "agent"),
  stepEnded("r", "fan/b", "agent", { status: "failed", exitCode: 2, error: { code: "X.Y.Z", message: "why" } }),
  stepEnded("r", "fan", "parallel"),
  stepStarted("r", "build", "command"),
  output("build", 0, "one\n"),
  {
    type: "step.retrying",
    run: "r",
    step: "build",
    payload: { name: "build", attempt: 1, delayMs: 0, reason: { code: "X.Y.Z", message: "no" } },
  },
  say("tool.update", "r", "build", { block: "build@2.stdout", offset: 0, text: "two\n", stream: "stdout" }),
  say("tool.update", "r", "build", { block: "build@2.stdout", offset: 4, text: "three\n", stream: "stdout" }),
  stepEnded("r", "build", "command"),
  stepStarted("r", "sub", "call_workflow"),
  runStarted("r2", [["say", "agent"]], "r"),
  { ...stepStarted("r2", "say", "agent"), parentRun: "r" } as Row,
  words("say", 0, "From below.", 1, "r2"),
  { ...stepEnded("r2", "say", "agent"), parentRun: "r" } as Row,
  runEnded("r2", "completed", {}, "r"),
  stepEnded("r", "sub", "call_workflow"),
  stepStarted("r", "talk", "agent"),
  say("message.thought", "r", "talk", { block: "talk@1.0", offset: 0, text: "hm, " }),
  say("message.thought", "r", "talk", { block: "talk@1.0", offset: 4, text: "well" }),
  words("talk", 0, "Who are "),
  words("talk", 8, "you?"),
  { type: "notice", payload: { severity: "warning", message: "careful" } },
  { type: "input.required", run: "r", step: "talk", payload: { input: "i1", prompt: "" } },
  turnEnded("t1"),
  turnStarted("t2"),
  user("t2", "Ada"),
  { type: "input.answered", run: "r", step: "talk", payload: { input: "i1", text: "Ada" } },
  words("talk", 0, "Hello ", 2),
  words("talk", 6, "Ada.", 2),
  stepEnded("r", "talk", "agent"),
  { type: "usage.recorded", run: "r", step: "talk", payload: { used: 20, size: 100 } },
  runEnded("r"),
  turnEnded("t2"),
  turnStarted("t3"),
  user("t3", "/help"),
  say("message.assistant", "", "", { block: "t3#explanation", offset: 0, text: "Nothing to run." }),
  turnEnded("t3"),
).map((row) =>
  row.type === "run.started" && row.run === "r" ? { ...row, payload: { ...row.payload, turn: "t1" } } : row,
);

/** Rows from behind `after` as a follower brings them: what is said comes live first, in pieces of this size. */
function* dealt(rows: readonly Exchange[], after: number, piece: number): Generator<Frame> {
  for (const row of rows.slice(after)) {
    if (isText(row)) yield* pieces(row, piece);
    yield row;
  }
}
function pieces(row: Exchange & TextRow, size: number): Frame[] {
  const { offset, text } = row.payload;
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    live(
      { ...row, payload: { ...row.payload, offset: offset + i * size, text: text.slice(i * size, (i + 1) * size) } },
      row.seq - 1,
    ),
  );
}
const STEP_MS = 100;
const LONG_MS = 10_000;
/** Ways to deal out a log, at each of its rows. */
const TRIES = 6;

class Screen {
  readonly holder: Holder;
  readonly #fold: Fold;
  #now: number;
  constructor(options: Partial<FoldOptions>, from: { holder?: Holder; now?: number | undefined } = {}) {
    this.#fold = new Fold({ echoUser: () => true, ...options });
    this.holder = from.holder ?? new Holder();
    this.#now = from.now ?? 0;
  }
  show(...frames: Frame[]): void {
    this.#now += STEP_MS;
    this.holder.see(this.#fold.take(frames, this.#now));
  }
  end(): void {
    this.#now += LONG_MS;
    this.holder.see(this.#fold.take([], this.#now));
  }
  get now(): number {
    return this.#now;
  }
}

const titleAt = (rows: readonly Exchange[], at: number): string | null =>
  rows
    .slice(0, at)
    .flatMap((row) => (row.type === "session.updated" ? [row.payload.title ?? ""] : []))
    .at(-1) ?? null;

const LOGS = { golden, journey };
const VIEWS = { cards: {}, terminals: { terminalOutput: { cwd: "/work" } } };
const cases = Object.entries(LOGS).flatMap(([name, rows]) =>
  Object.entries(VIEWS).map(([shows, options]) => ({ name, rows, shows, options })),
);

describe.each(cases)("the log $name, output in $shows", ({ rows, options }) => {
  const whole = (piece: number): Screen => {
    const screen = new Screen(options);
    for (const frame of dealt(rows, 0, piece)) screen.show(frame);
    screen.end();
    return screen;
  };
  /** A new connection at the row `at`: the pages of the log from where something open began, then what comes. */
  const joined = (at: number, piece: number, { holder, shown, page, now }: Coming): Screen => {
    const base = beginning(rows.slice(0, at).reverse(), at);
    const joins = base < at ? { joins: { after: at, title: titleAt(rows, at) } } : {};
    const screen = new Screen({ ...options, ...joins, shown }, { holder, now });
    const behind = rows.slice(base, at);
    for (let i = 0; i < behind.length; i += page) screen.show(...behind.slice(i, i + page));
    for (const frame of dealt(rows, at, piece)) screen.show(frame);
    screen.end();
    return screen;
  };
  type Coming = { holder: Holder; shown: Map<string, number>; page: number; now?: number };

  test("continues at every row, by cursor and by resume, with what it had", () => {
    for (let at = 1; at <= rows.length; at++)
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(4), fc.integer({ min: 1, max: 7 }), (piece, ahead, page) => {
          const first = new Screen(options);
          let last = 0;
          for (const frame of dealt(rows, 0, piece)) {
            if ("seq" in frame) last = frame.seq;
            if (last > at || (last === at && !("seq" in frame))) break;
            first.show(frame);
          }
          const shown = new Map<string, number>();
          const next = rows[at];
          if (next !== undefined && isText(next))
            for (const chunk of pieces(next, piece).slice(0, ahead)) {
              first.show(chunk);
              const { offset, text, block } = (chunk as typeof next).payload;
              shown.set(blockId(next.run, block), offset + text.length);
            }
          const again = joined(at, piece, { holder: first.holder, shown, page, now: first.now });
          expect([at, again.holder.held]).toEqual([at, whole(piece).holder.held]);
        }),
        { numRuns: TRIES },
      );
  });

  test("comes at every row with nothing, and holds what stands and what comes", () => {
    for (let at = 1; at <= rows.length; at++) {
      const all = new Screen(options);
      for (const frame of dealt(rows, 0, 3)) {
        if ("seq" in frame && frame.seq === at + 1) break;
        if (!("seq" in frame) && frame.after >= at) break;
        all.show(frame);
      }
      const base = beginning(rows.slice(0, at).reverse(), at);
      const types = rows.slice(base, at).flatMap(({ type, parentRun }) => (parentRun === undefined ? [type] : []));
      const keeps = { plan: types.includes("run.started"), usage: types.includes("usage.recorded") };
      all.holder.forget({ title: base < at, ...keeps });
      for (const frame of dealt(rows, at, 3)) all.show(frame);
      all.end();
      const late = joined(at, 3, { holder: new Holder(), shown: new Map(), page: 5 });
      expect([at, late.holder.held]).toEqual([at, all.holder.held]);
    }
  });
});
