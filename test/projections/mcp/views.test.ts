/** What a host is shown of a log: progress, words, results, forms. */
import { from, lastValueFrom, toArray } from "rxjs";
import { expect, test } from "vitest";
import type { Exchange, Row, RowOf } from "../../../machines/exchange.ts";
import { formAnswer, formDecision, permissionForm, questionForm } from "../../../projections/mcp/form.ts";
import { runProgress } from "../../../projections/mcp/progress.ts";
import { MOST_BYTES, type RunStanding, runResult } from "../../../projections/mcp/result.ts";
import { addressed, logUri, runUri, workflowUri } from "../../../projections/mcp/uris.ts";
import { StepWords } from "../../../projections/mcp/words.ts";

const rows = (...list: Row[]): Exchange[] => list.map((row, index) => ({ ...row, seq: index + 1, at: 0 }));
const plan = (...names: string[]): Row => ({
  type: "run.started",
  run: "r",
  payload: { workflow: "w", inputs: {}, plan: names.map((name) => ({ name, title: `Do ${name}`, kind: "command" })) },
});
const began = (name: string, run = "r"): Row => ({
  type: "step.started",
  run,
  step: name,
  payload: { name, kind: "command", title: name, parallel: false },
});
const ended = (name: string, run = "r"): Row => ({
  type: "step.completed",
  run,
  step: name,
  payload: { name, kind: "command", status: "completed", exitCode: 0 },
});
const says = (step: string, block: string, offset: number, text: string): Row => ({
  type: "message.assistant",
  run: "r",
  step,
  payload: { block, offset, text },
});

const told = (batches: Exchange[][]) => lastValueFrom(from(batches).pipe(runProgress("r"), toArray()));

test("progress rises by what is done, and by less for what is done again (I1)", async () => {
  const list = rows(plan("a", "b"), began("a"), ended("a"), began("a"), ended("a"), began("b"), ended("b"));
  expect(await told(list.map((row) => [row]))).toEqual([
    { progress: 0.5, total: 2, message: "Do a" },
    { progress: 1, total: 2, message: "Do a: completed" },
    { progress: 1.5, total: 2, message: "Do a" },
    { progress: 1.75, total: 2, message: "Do a: completed" },
    { progress: 1.875, total: 2, message: "Do b" },
    { progress: 1.9375, total: 2, message: "Do b: completed" },
  ]);
  expect(await told([list])).toEqual([{ progress: 1, total: 2, message: "Do b: completed" }]);
  expect(await told([rows(plan("a"), began("x", "child"))])).toEqual([]);
});

test("progress names a round by its item, and says which one it is of how many", async () => {
  const round = { ...began("a"), step: "each/36.a" } as RowOf<"step.started">;
  const list = rows(plan("each", "a"), {
    ...round,
    payload: { ...round.payload, round: { item: "src/a.ts", of: 500 } },
  });
  expect((await told([list]))[0]?.message).toBe("Do a [src/a.ts] (37 of 500)");
});

test("a step's words are those of its last attempt, and of steps the last that said something (I1)", () => {
  const list = rows(
    began("a"),
    says("a", "1", 0, "first "),
    says("a", "1", 6, "try"),
    {
      type: "step.retrying",
      run: "r",
      step: "a",
      payload: { name: "a", attempt: 2, delayMs: 0, reason: { code: "", message: "" } },
    },
    says("a", "2", 0, "second"),
    says("a", "3", 0, "try"),
    ended("a"),
    began("b"),
    ended("b"),
  );
  const all = new StepWords();
  all.take(list);
  expect(all.said).toEqual({ step: "a", text: "second\ntry" });
  const none = new StepWords("b");
  none.take(list);
  expect(none.said).toBe(null);
});

const standing = (more: Partial<RunStanding>): RunStanding => ({
  ...{ id: "r", workflow: "w", status: "completed", error: null, questions: [], permissions: [] },
  ...more,
});
const options = { runs: true, decides: false };

test("what is too long is a link, and the data says where it lies (I2, I4)", () => {
  const end = { outputs: {}, message: null, said: { step: "a", text: "x".repeat(MOST_BYTES) } };
  const { content, structuredContent } = runResult(standing({}), end, options);
  const note = "The result is longer than 50 KiB: read troupe://runs/r.";
  expect(structuredContent).toEqual({ run: "r", workflow: "w", status: "completed", note });
  expect(content[1]).toMatchObject({ type: "resource_link", uri: "troupe://runs/r" });
  const short = runResult(standing({}), { ...end, said: { step: "a", text: "x".repeat(MOST_BYTES - 200) } }, options);
  expect(short.content).toHaveLength(1);
});

test.each<[Partial<RunStanding>, boolean, RegExp]>([
  [{ status: "failed", error: { code: "X.Y.Z", message: "no" } }, true, /has failed: no \[X\.Y\.Z\]/],
  [{ status: "cancelled" }, true, /was cancelled\./],
  [{ status: "interrupted" }, true, /troupe resume r/],
  [{ status: "running" }, false, /troupe_run_wait/],
  [
    { status: "parked", questions: [{ input: "q", step: "s", prompt: "Who?", said: "" }] },
    false,
    /Who\?\n.*troupe_run_answer/,
  ],
])("a run that is %o says so (I1, I3, I4)", (more, isError, words) => {
  const { content, structuredContent, isError: failed = false } = runResult(standing(more), null, options);
  const { text } = content[0] as { text: string };
  expect([failed, text]).toEqual([isError, expect.stringMatching(words)]);
  const isOver = more.status === "failed" || more.status === "cancelled";
  expect(structuredContent).toMatchObject({ status: more.status, ...(isOver ? {} : { note: text }) });
});

const question = { input: "q", step: "s", prompt: "Who?", said: "" };
const permission = {
  ...{ permission: "p", title: "Run it?" },
  options: [{ id: "yes", name: "Yes", kind: "allow_once" as const }],
};

test.each([
  [{ action: "decline" }],
  [{ action: "cancel" }],
  [{ action: "accept" }],
  [{ action: "accept", content: {} }],
  [{ action: "accept", content: { answer: [1], decision: 1 } }],
  [{ action: "accept", content: [] }],
  [null],
  [undefined],
])("a form that came back as %j answers nothing; one that was accepted is refused (forms I1, I2)", (response) => {
  expect(formAnswer(question, response)).toBeNull();
  const refused = { type: "decision", permission: "p", option: "" };
  expect(formDecision(permission, response)).toEqual(response?.action === "accept" ? refused : null);
});

test("a form that was filled in answers what it asked", () => {
  expect(formAnswer(question, { action: "accept", content: { answer: "" } })).toEqual({
    type: "answer",
    question: "q",
    text: "",
  });
  expect(formDecision(permission, { action: "accept", content: { decision: "yes" } })).toEqual({
    type: "decision",
    permission: "p",
    option: "yes",
  });
  expect(questionForm(question, "w").message).toBe("w, step s: Who?");
  const { properties } = permissionForm(permission, "w", "").requestedSchema;
  expect(properties["decision"]).not.toHaveProperty("default");
});

test("an address goes both ways", () => {
  expect(addressed(runUri("a/b"))).toEqual({ type: "run", run: "a/b" });
  expect(addressed(logUri("x"))).toEqual({ type: "log", run: "x" });
  expect(addressed(workflowUri("pack/w x"))).toEqual({ type: "workflow", id: "pack/w x" });
  for (const uri of ["troupe://runs/", "file:///etc/passwd", "troupe://runs/a/b", "troupe://workflows/%"])
    expect(addressed(uri)).toBe(null);
});
