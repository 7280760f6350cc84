/** Covers `detail.ts`: what a step did, in order. */
import { expect, test } from "vitest";
import type { Live, Row } from "../../../machines/exchange.ts";
import { type DetailItem, detailOf, MOST_SHOWN } from "../../../projections/page/detail.ts";
import { momentOf } from "../../../projections/page/moment.ts";
import { historyOf, logOf, RUN, said, started } from "./story.ts";

const row = (type: string, payload: object): Row => ({ type, run: RUN, step: "s", payload }) as Row;
const text = (type: string, block: string, offset: number, words: string, more: object = {}): Row =>
  row(type, { block, offset, text: words, ...more });
/** Without times and seqs. */
const detail = (...rows: Row[]): object[] => {
  const begun = { type: "run.started", run: RUN, payload: { workflow: "w", plan: [], inputs: {} } } as Row;
  const history = historyOf(logOf([begun, started("s", "agent"), ...rows]));
  const moment = momentOf(history, { seq: null, isAlive: true, now: 0 });
  return detailOf(history.at("s")!, moment).map(({ seq: _, at: __, ...item }: DetailItem) => item);
};
const words = (of: string, cut = 0) => ({ text: of, cut, cutLines: 0, times: expect.any(Array) });

test("words, thoughts and output, each block one item, where it began", () => {
  expect(
    detail(
      text("message.assistant", "a", 0, "one "),
      text("message.thought", "t", 0, "hm"),
      text("message.assistant", "a", 4, "two"),
      text("tool.update", "o", 0, "out", { stream: "stdout" }),
      text("tool.update", "e", 0, "bad", { stream: "stderr" }),
      text("message.assistant", "p", 0, "printed", { stream: "stdout" }),
    ),
  ).toEqual([
    { type: "said", words: words("one two") },
    { type: "thought", words: words("hm") },
    { type: "output", stream: "stdout", words: words("out") },
    { type: "output", stream: "stderr", words: words("bad") },
    { type: "output", stream: "stdout", words: words("printed") },
  ]);
});

test("a block that begins anew is an item of its own; the first one keeps its words", () => {
  expect(detail(text("message.assistant", "a", 0, "one"), text("message.assistant", "a", 0, "two"))).toEqual([
    { type: "said", words: words("one") },
    { type: "said", words: words("two") },
  ]);
});

test("a tool has what was said of it last; what it printed is its own", () => {
  const call = { call: "c", title: "Read", kind: "read", status: "pending", input: { path: "a" } };
  const content = [{ type: "text", text: "x" }];
  expect(
    detail(
      row("tool.call", call),
      text("tool.update", "b", 0, "said ", { call: "c" }),
      row("tool.update", { call: "c", title: "Read a", status: "in_progress", input: undefined }),
      text("tool.update", "b", 5, "more", { call: "c" }),
      row("tool.result", { call: "c", status: "completed", content, output: 3 }),
      row("tool.update", { call: "unknown", title: "No" }),
      text("tool.update", "u", 0, "no", { call: "unknown" }),
    ),
  ).toEqual([
    {
      type: "tool",
      call: {
        ...{ call: undefined, title: "Read a", kind: "read", status: "completed", input: { path: "a" }, output: 3 },
        ...{ said: words("said more"), content, locations: [] },
      },
    },
  ]);
});

test("questions have their answers, of who and when", () => {
  const asked = { permission: "p", title: "May it?", kind: "edit", message: "", options: [] };
  const answer = { permission: "p", outcome: "selected", option: "yes" };
  expect(
    detail(
      row("permission.requested", asked),
      row("input.required", { input: "i", prompt: "Which?" }),
      row("permission.resolved", { ...answer, permission: "other" }),
      row("permission.resolved", answer),
      row("input.answered", { input: "j", text: "no" }),
      row("input.answered", { input: "i", text: "blue", who: "ada" }),
    ),
  ).toEqual([
    { type: "permission", asked, answer, answeredAt: 6_000 },
    { type: "input", id: "i", prompt: "Which?", answer: "blue", who: "ada", answeredAt: 8_000 },
  ]);
  expect(
    detail(row("input.required", { input: "i", prompt: "?" }), row("input.answered", { input: "i", text: "x" })),
  ).toEqual([{ type: "input", id: "i", prompt: "?", answer: "x", who: null, answeredAt: 4_000 }]);
  expect(detail(row("permission.requested", asked))).toEqual([
    { type: "permission", asked, answer: null, answeredAt: null },
  ]);
});

test("a question that is asked again before its answer, as after a crash, stands there once (I3)", () => {
  const asked = { permission: "p", title: "May it?", kind: "edit", message: "", options: [] };
  const answer = { permission: "p", outcome: "selected", option: "yes" };
  const question = row("input.required", { input: "i", prompt: "Which?" });
  expect(
    detail(
      row("permission.requested", asked),
      question,
      row("permission.requested", { ...asked, message: "now" }),
      question,
      row("permission.resolved", answer),
    ),
  ).toEqual([
    { type: "permission", asked: { ...asked, message: "now" }, answer, answeredAt: 7_000 },
    { type: "input", id: "i", prompt: "Which?", answer: null, who: null, answeredAt: null },
  ]);
});

test("attempts and notices", () => {
  expect(
    detail(
      row("step.retrying", { name: "s", attempt: 1, delayMs: 5, reason: { code: "E", message: "busy" } }),
      row("notice", { severity: "warning", message: "careful" }),
    ),
  ).toEqual([
    { type: "retry", attempt: 1, delayMs: 5, why: "busy" },
    { type: "notice", severity: "warning", message: "careful" },
  ]);
});

test("what is too long is cut at its beginning, and says how much (I2)", () => {
  const long = (...lengths: number[]) =>
    detail(
      ...lengths.map((length, at) =>
        text(
          "message.assistant",
          "a",
          lengths.slice(0, at).reduce((a, b) => a + b, 0),
          String(at).repeat(length),
        ),
      ),
    )[0];
  expect(long(MOST_SHOWN)).toEqual({ type: "said", words: words("0".repeat(MOST_SHOWN)) });
  expect(long(10, MOST_SHOWN - 4)).toEqual({ type: "said", words: words(`0000${"1".repeat(MOST_SHOWN - 4)}`, 6) });
  expect(long(10, MOST_SHOWN, 3)).toEqual({ type: "said", words: words(`${"1".repeat(MOST_SHOWN - 3)}222`, 13) });
});

test("the lines that a cut leaves out are counted: a line keeps its number while the text grows", () => {
  const lines = (from: number) => Array.from({ length: 4_000 }, (_, at) => `line ${from + at}\n`).join("");
  const texts = [lines(1), lines(4_001), lines(8_001)];
  const rows = texts.map((each, at) => said("s", each, texts.slice(0, at).join("").length));
  const history = historyOf(logOf([started("s", "agent"), ...rows]));
  for (const seq of [null, history.head - 1, null]) {
    const [item] = detailOf(history.at("s")!, momentOf(history, { seq, isAlive: true, now: 0 }));
    if (item?.type !== "said") throw new Error("it said something");
    const [, second] = item.words.text.split("\n");
    expect(second).toBe(`line ${item.words.cutLines + 2}`);
  }
});

test("live words stand behind those that are kept, at the end alone", () => {
  const history = historyOf(
    logOf([started("s", "agent"), said("s", "one ")]).map((one, at) => ({ ...one, seq: at + 1 })),
  );
  history.see({ ...said("s", "two", 4), after: 2 } as unknown as Live);
  const at = (seq: number | null) =>
    detailOf(history.at("s")!, momentOf(history, { seq, isAlive: true, now: 0 })).map(
      (item) => "words" in item && item.words.text,
    );
  expect([at(null), at(1)]).toEqual([["one two"], []]);
});
