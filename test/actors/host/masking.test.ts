/** Masked text in a host: what goes into the log, to followers and into stored state (T13). */
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emit, raise, setup } from "xstate";
import { dueTimers } from "../../../actors/host/alarms.ts";
import { keepMail } from "../../../actors/host/mail.ts";
import { Store } from "../../../actors/host/sqlite/store.ts";
import { Masking, NO_MASKING } from "../../../actors/masking/masking.ts";
import { type Frame, isLive, START, type TextPayload } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import { EmbeddedStage, log, rest, until, wordsOf } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";
import { query } from "../../support/sql.ts";

const S = sessionKey("s");
const SECRET = "s3cr3t-of-the-environment";
const HEAD = { type: "message.assistant", run: "r", step: "a", block: "a@1.1" } as const;
let stage: EmbeddedStage;
beforeEach(() => {
  stage = new EmbeddedStage();
});
afterEach(() => stage.close());

const masking = () => new Masking([["env/A_TOKEN", SECRET]]);
const pieces = (frames: readonly Frame[]): { offset: number; text: string }[] =>
  frames.flatMap(({ payload }) => {
    if (!("block" in payload)) return [];
    const { offset, text } = payload as TextPayload;
    return [{ offset, text }];
  });
async function working(mask = masking()) {
  const actor = stage.enter({ mask });
  await actor.host.create(S, BIRTH);
  await actor.host.send(S, { type: "work.asked", label: SECRET } as never);
  const job = await actor.jobs.started(0);
  const frames: Frame[] = [];
  actor.follow(S, (batch) => frames.push(...batch), START);
  await rest();
  return { actor, job, frames };
}

test("texts I3 offsets are of masked text, live and committed, and an end that was held back is said", async () => {
  const { actor, job, frames } = await working();
  const block = job.context.text(HEAD);
  for (const text of ["a s3cr", "3t-of-the-environ", "ment b s3c"]) block.say(text);
  await rest();
  expect(pieces(frames.filter(isLive))).toEqual([
    { offset: 0, text: "a " },
    { offset: 2, text: "*** b " },
  ]);
  job.done("ok");
  await until(() => pieces(log(actor.host, S)).length > 0);
  expect(pieces(log(actor.host, S))).toEqual([{ offset: 0, text: "a *** b s3c" }]);
});

test("a row holds whole characters alone, for its readers and in the store", async () => {
  const { actor, job, frames } = await working(new Masking());
  const title = "cut \ud83d";
  job.context.record({
    type: "tool.call",
    run: "r",
    step: "a",
    payload: { call: "a@1.x", title, kind: "read", status: "pending" },
  });
  job.context.record({ type: "notice", payload: { severity: "info", message: "C:\\udata" } });
  await rest();
  const said = (rows: readonly Frame[]): string => JSON.stringify(rows.slice(-2).map(({ payload }) => payload));
  for (const rows of [frames, log(actor.host, S)]) {
    expect(said(rows)).toContain("cut \ufffd");
    expect(said(rows)).toContain(JSON.stringify("C:\\udata"));
  }
});

test("a block that ends says what it held back before the next row", async () => {
  const { actor, job } = await working();
  const block = job.context.text(HEAD);
  block.say("so s3c");
  block.end();
  job.context.record({ type: "notice", payload: { severity: "info", message: `next ${SECRET}` } });
  await rest();
  const after = log(actor.host, S).slice(-2);
  expect([pieces(after), wordsOf(after)]).toEqual([
    [{ offset: 0, text: "so s3c" }],
    expect.arrayContaining(["next ***"]),
  ]);
});

test.each([
  ["masked", masking, false],
  ["not masked, where nothing masks", () => NO_MASKING, true],
] as const)("rows and stored state are %s, and another process gets the state back", async (_, mask, found) => {
  const { actor } = await working(mask() as Masking);
  await actor.host.send(S, { type: "note.taken", text: `noted ${SECRET}` } as never);
  await actor.host.send(S, { type: "child.asked", label: SECRET } as never);
  await rest();
  const database = new DatabaseSync(stage.file, { readOnly: true });
  const actors = ["input, snap from actor", "input from birth", "input from step_birth"].map((what) =>
    database.prepare(`select ${what}`).all(),
  );
  database.close();
  expect(JSON.stringify(actors).includes(SECRET)).toBe(found);
  expect(JSON.stringify(log(actor.host, S)).includes(SECRET)).toBe(found);
  expect(readFileSync(stage.file).includes(SECRET) || readFileSync(`${stage.file}-wal`).includes(SECRET)).toBe(found);
  actor.crash();
  const other = stage.enter({ mask: mask() });
  expect(JSON.stringify(other.host.read(S)?.context)).toContain(SECRET);
});

/** A machine that sets a timer whose event says something. */
const reminded = setup({
  types: {} as { events: { type: "remind"; text: string } | { type: "reminded"; text: string } },
}).createMachine({
  id: "turn",
  version: "1",
  on: {
    remind: { actions: raise(({ event }) => ({ type: "reminded", text: event.text }) as const, { delay: 1_000 }) },
    reminded: {
      actions: emit(({ event }) => ({ type: "notice", payload: { severity: "info", message: event.text } })),
    },
  },
});

test.each([
  ["masked", masking, false],
  ["not masked, where nothing masks", () => NO_MASKING, true],
] as const)("a stored timer's event is %s", async (_, mask, found) => {
  const actor = stage.enter({ mask: mask() });
  const key: Key = "turn/t";
  actor.host.machine("turn", reminded as never);
  await actor.host.create(S, BIRTH);
  await actor.host.create(key, { ...BIRTH, session: S });
  await actor.host.send(key, { type: "remind", text: SECRET } as never);
  const [timer] = query(actor.host.store, "select event from timer where key=?", key);
  expect(String(timer?.["event"]).includes(SECRET)).toBe(found);
  const [due] = dueTimers(actor.host.store, { session: key });
  expect(due?.event).toMatchObject({ type: "reminded", text: SECRET });
});

test.each([
  ["masked", masking, false],
  ["not masked, where nothing masks", () => NO_MASKING, true],
] as const)("kept mail is %s", (_, mask, found) => {
  const store = new Store(stage.file, "normal", mask());
  store.begin();
  const row = keepMail(store, { key: S, event: { type: "note.taken", text: SECRET } as never }, S);
  store.commit();
  const [mail] = query(store, "select event from mail where id=?", row as number);
  expect(String(mail?.["event"]).includes(SECRET)).toBe(found);
  expect(store.mask.reveal(String(mail?.["event"]))).toEqual({ type: "note.taken", text: SECRET });
  store.close();
});
