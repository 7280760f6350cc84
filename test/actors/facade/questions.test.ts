/** What runs ask, answered through the facade by whoever comes first. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { filter, firstValueFrom } from "rxjs";
import { expect, test } from "vitest";
import type { Frame, Run, RunResult } from "../../../actors/troupe.ts";
import { place } from "./asking.ts";

const isAsked = (frame: Frame): boolean => "seq" in frame && frame.type === "permission.requested";
const isQuestion = (frame: Frame): boolean => "seq" in frame && frame.type === "input.required";
const questionsOf = ({ outcome }: RunResult) => {
  if (outcome.status !== "parked") throw new Error(`it is ${outcome.status}`);
  return outcome.questions;
};
const code = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no error",
    (error: { code: string }) => error.code,
  );
const seqs = (run: Run) => run.session.rows(0, 1_000).map(({ seq }) => seq);

test("a turn that parks its run has a result, and answers bring it to its end", async () => {
  const { troupe, start } = place();
  const run = await start(troupe(), "talk");
  const parked = await run.done;
  const [question] = questionsOf(parked);
  expect(parked).toEqual({
    run: run.id,
    outcome: {
      status: "parked",
      questions: [{ input: question?.input, run: run.id, step: "chat", prompt: "", said: "Who are you?" }],
    },
    outputs: {},
    message: null,
  });
  expect(run.session.questions()).toEqual([question]);

  const again = await run.answer(question?.input ?? "", "Ann");
  expect(again.id).toBe(run.id);
  const [next] = questionsOf(await again.done);
  expect(next).toMatchObject({ step: "chat", said: "Ann" });
  const last = await again.answer(next?.input ?? "", "  ");
  expect(await last.done).toMatchObject({ run: run.id, outcome: { status: "completed" }, message: "bye" });
  expect(run.session.questions()).toEqual([]);
  expect(seqs(run)).toEqual(seqs(run).map((_, index) => index + 1));
});

test("a question beside a step at work is answered once that has ended, and another process is told so until then", async () => {
  const { troupe, start, cwd } = place();
  const one = troupe();
  const run = await start(one, "beside");
  await firstValueFrom(run.session.log$().pipe(filter((batch) => batch.some(isQuestion))));
  const early = troupe().answer(run.id, { text: "red" });
  await expect(early).rejects.toThrow("takes an answer once the steps beside the one that asks have ended");
  writeFileSync(join(cwd, "go"), "");
  questionsOf(await run.done);
  expect(await (await one.answer(run.id, { text: "red" })).done).toMatchObject({ outcome: { status: "completed" } });
});

test("a run that waits for a decision takes no words, and says how it is decided", async () => {
  const { troupe, start } = place();
  const one = troupe();
  const run = await start(one, "gate");
  await firstValueFrom(run.session.log$().pipe(filter((batch) => batch.some(isAsked))));
  await expect(one.answer(run.id, { text: "yes" })).rejects.toThrow(
    `waits for a decision, which words are not: troupe decide ${run.id} makes it`,
  );
});

test("a decision that is none of the options is told them; a cancel from elsewhere ends it", async () => {
  const { troupe, start } = place();
  const { session, done } = await start(troupe(), "gate");
  const rows = await firstValueFrom(session.log$().pipe(filter((batch) => batch.some(isAsked))));
  const [{ permission = "" } = {}] = rows.flatMap((row) => (row.type === "permission.requested" ? [row.payload] : []));
  await expect(session.decide(permission, "perhaps")).rejects.toThrow("expected one of allow, deny");
  await expect(session.decide("nope", "allow")).rejects.toThrow("this question is not open");
  const elsewhere = await troupe().open(session.id);
  await expect(elsewhere.decide(permission, "perhaps")).rejects.toThrow("expected one of allow, deny");
  await elsewhere.cancel();
  expect(await done).toMatchObject({ outcome: { status: "cancelled" } });
});

test("another process lists the question and answers it", async () => {
  const { troupe, start } = place();
  const first = troupe();
  const run = await start(first, "talk");
  const [question] = questionsOf(await run.done);
  await first.close();
  const second = troupe();
  const [record] = await second.history({ resumable: true });
  expect(record).toMatchObject({ id: run.id, status: "parked", resumable: true, questions: [question] });
  expect(await second.status(run.id)).toEqual(record);
  expect(questionsOf(await (await second.resume(run.id, { recover: "fail" })).done)).toEqual([question]);
  const ended = await second.answer(run.id, { text: "" });
  expect(await ended.done).toMatchObject({ outcome: { status: "completed" } });
  expect(await second.status(run.id)).toMatchObject({ status: "completed", resumable: false, questions: [] });
});

test("an answer that nothing waits for is an error and leaves no trace", async () => {
  const { troupe, start } = place();
  const one = troupe();
  const run = await start(one, "talk");
  const [question] = questionsOf(await run.done);
  const { input = "" } = question ?? {};
  const head = run.session.head();
  await expect(run.session.answer("nope", "x")).rejects.toThrow(`the question is not open; open is ${input}`);
  expect(await code(one.answer(run.id, { text: "x", question: "nope" }))).toBe("USER.FACADE.INPUT_REJECTED");
  expect(await code(one.answer("nope", { text: "x" }))).toBe("USER.RUN.NOT_FOUND");
  expect(run.session.head()).toBe(head);

  const again = await run.answer(input, "more");
  await again.done;
  const parked = run.session.head();
  expect(await code(run.session.answer(input, "x"))).toBe("USER.FACADE.DUPLICATE_RESPONSE");
  expect(run.session.head()).toBe(parked);
  await (await one.answer(run.id, { text: "" })).done;
  const end = run.session.head();
  expect(await code(one.answer(run.id, { text: "x" }))).toBe("USER.FACADE.INPUT_REJECTED");
  expect(await code(one.answer(run.id, { text: "x", question: input }))).toBe("USER.FACADE.DUPLICATE_RESPONSE");
  const plain = await start(one, "plain");
  await plain.done;
  expect(await code(one.answer(plain.id, { text: "x" }))).toBe("USER.FACADE.INPUT_REJECTED");
  expect(run.session.head()).toBe(end);
});

test.each(["two processes", "one"])("of two answers at once, from %s, one is taken", async (from) => {
  const { troupe, start } = place();
  const one = troupe();
  const two = from === "one" ? one : troupe();
  const run = await start(one, "talk");
  const [question] = questionsOf(await run.done);
  const other = await two.open(run.session.id);
  const { input = "" } = question ?? {};
  const codes = await Promise.all([run.session.answer(input, "a"), other.answer(input, "b")].map(code));
  expect(codes.sort()).toEqual(["USER.FACADE.DUPLICATE_RESPONSE", "no error"]);
  const answers = run.session.rows(0, 1_000).filter(({ type }) => type === "input.answered");
  expect(answers).toHaveLength(1);
});

test("with two open questions either may be answered first", async () => {
  const { troupe, start } = place();
  const run = await start(troupe(), "pair");
  const open = questionsOf(await run.done);
  expect(open.map(({ step, said }) => [step, said]).sort()).toEqual([
    ["both/left", "left?"],
    ["both/right", "right?"],
  ]);
  const [oldest, newest] = open;
  const half = await run.answer(newest?.input ?? "", "");
  expect(questionsOf(await half.done)).toEqual([oldest]);
  const whole = await half.answer(oldest?.input ?? "", "");
  expect(await whole.done).toMatchObject({ outcome: { status: "completed" } });
});

test("a cancelled run asks nothing any more", async () => {
  const { troupe, start } = place();
  const one = troupe();
  const run = await start(one, "talk");
  const [question] = questionsOf(await run.done);
  const completed = firstValueFrom(
    run.session.log$().pipe(filter((frames) => frames.some(({ type }) => type === "run.completed"))),
  );
  await run.cancel();
  await completed;
  expect(run.session.questions()).toEqual([]);
  expect(await code(run.answer(question?.input ?? "", "x"))).toBe("USER.FACADE.INPUT_REJECTED");
  expect(await one.status(run.id)).toMatchObject({ status: "cancelled", questions: [] });
});

test("a parked run that is cancelled, or whose session is closed, has ended when that is answered", async () => {
  const { troupe, start } = place();
  const one = troupe();
  for (const end of [(run: Run) => run.cancel(), (run: Run) => run.session.close()]) {
    const run = await start(one, "pair");
    expect(questionsOf(await run.done)).toHaveLength(2);
    await end(run);
    expect(await one.status(run.id)).toMatchObject({ status: "cancelled", exitCode: 130 });
    expect(seqs(run)).toEqual(run.session.rows(0, 1_000).map((_, index) => index + 1));
  }
});

test("so has one with hooks that run after its cancel", async () => {
  const { troupe, start } = place();
  const one = troupe();
  const run = await start(one, "hooked");
  expect(questionsOf(await run.done)).toHaveLength(1);
  await run.session.close();
  expect(run.session.rows(0, 1_000).at(-1)).toMatchObject({ type: "run.completed", payload: { status: "cancelled" } });
});
