/** Covers I3 of `continuing.ts`; I1 and I2 are covered by test/acceptance/trust.test.ts. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filter, firstValueFrom } from "rxjs";
import { expect, onTestFinished, test } from "vitest";
import { createTroupe, type Troupe } from "../../../../actors/troupe.ts";

const TOKEN = "hunter2hunter2";
const asking = (input: string): string => `name: sec
inputs: [${input}]
states:
  initial: q
  q: { type: ask, questions: [{ name: word, prompt: "Go on?" }], on_success: use }
  use: { type: step, command: 'printf %s "{{.inputs.api_token}}" > used', on_success: z }
  z: { type: terminal }
`;
const GIVEN = "{ name: api_token, type: string, required: true }";
const WRITTEN = `{ name: api_token, type: string, default: ${TOKEN} }`;

/** A run that waits, left by a process that has ended; and another process. */
async function left(workflow: string, inputs: { [name: string]: string }, others: { [name: string]: string } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-continuing-")));
  const cwd = join(root, "work");
  mkdirSync(join(cwd, ".troupe/workflows"), { recursive: true });
  for (const [name, text] of Object.entries({ ...others, sec: workflow }))
    writeFileSync(join(cwd, `.troupe/workflows/${name}.yaml`), text);
  const environment = { PATH: process.env["PATH"] ?? "", HOME: root, TROUPE_HOME: join(root, "home") };
  const first = createTroupe({ environment });
  const run = await first.run({ workflow: "sec", inputs, consent: "yes", cwd });
  await run.done;
  await first.close();
  const troupe: Troupe = createTroupe({ environment });
  onTestFinished(async () => {
    await troupe.close();
    rmSync(root, { recursive: true, force: true });
  });
  return { troupe, run: run.id, session: run.session.id, used: () => readFileSync(join(cwd, "used"), "utf8") };
}
const LACKS = {
  code: "USER.INPUT.MISSING",
  message: expect.stringMatching(/^give api_token again by troupe resume \S+ -i api_token=@-,/),
};

test("I3 without a secret that is not known here nothing is sent, by whichever way; with it the step has it", async () => {
  const { troupe, run, session, used } = await left(asking(GIVEN), { api_token: TOKEN });
  await expect(troupe.answer(run, { text: "yes" })).rejects.toMatchObject({
    ...LACKS,
    details: { run, inputs: ["api_token"] },
  });
  await expect(troupe.resume(run, { recover: "ask" })).rejects.toMatchObject(LACKS);
  const open = await troupe.open(session);
  const [question] = open.questions();
  await expect(open.answer(question?.input ?? "", "yes")).rejects.toMatchObject(LACKS);
  const head = open.head();
  await open.prompt({ blocks: [{ type: "text", text: "yes" }], consent: "nobody" });
  await firstValueFrom(
    open.log$({ after: head }).pipe(filter((all) => all.some(({ type }) => type === "turn.completed"))),
  );
  expect(open.rows(head, 9).at(-1)).toMatchObject({ payload: { error: { code: "USER.INPUT.MISSING" } } });
  expect(await troupe.status(run)).toMatchObject({ status: "parked", questions: [{ input: question?.input }] });
  const { done } = await troupe.answer(run, { text: "yes", inputs: { api_token: TOKEN } });
  expect(await done).toMatchObject({ outcome: { status: "completed" } });
  expect(used()).toBe(TOKEN);
});

test("I3 what stands in the workflow's file is not given again", async () => {
  const { troupe, run, used } = await left(asking(WRITTEN), {});
  const { done } = await troupe.answer(run, { text: "yes" });
  expect(await done).toMatchObject({ outcome: { status: "completed" } });
  expect(used()).toBe(TOKEN);
});

const CALLED = `name: sec
inputs: [${GIVEN}]
states:
  initial: c
  c: { type: call_workflow, workflow: inner, on_success: use }
  use: { type: step, command: 'printf %s "{{.inputs.api_token}}" > used', on_success: z }
  z: { type: terminal }
`;
const INNER = `name: inner
states:
  initial: q
  q: { type: ask, questions: [{ name: word, prompt: "Go on?" }], on_success: z }
  z: { type: terminal }
`;
test("I3 whoever names the called run that waits gives the secrets of the run above it", async () => {
  const { troupe, session, used } = await left(CALLED, { api_token: TOKEN }, { inner: INNER });
  const started = (await troupe.open(session)).rows(0, 99).filter(({ type }) => type === "run.started");
  const called = started.at(-1)?.run ?? "";
  await expect(troupe.answer(called, { text: "yes" })).rejects.toMatchObject(LACKS);
  const { done } = await troupe.answer(called, { text: "yes", inputs: { api_token: TOKEN } });
  await done;
  expect(used()).toBe(TOKEN);
});
