/** Covers I1 to I3 of `letters.ts`: an event for a session that another living process owns. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { LETTER_LIMIT_MS } from "../../../actors/host/letters.ts";
import type { Key } from "../../../machines/model.ts";
import { ACCEPTED, EmbeddedStage, refusal, rest, until, words } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";
import { query } from "../../support/sql.ts";

const S = sessionKey("s");
const T = sessionKey("t");
const ASKED = { type: "question.asked" } as never;
const YES = { type: "decision.made" };
const note = (text: string) => ({ type: "note.taken", text }) as never;

let stage: EmbeddedStage;
beforeEach(() => {
  stage = new EmbeddedStage();
});
afterEach(() => stage.close());

type Actor = ReturnType<EmbeddedStage["enter"]>;
/** One that has an open question, and another one. */
const asked = async (session: Key = S): Promise<{ first: Actor; second: Actor; question: Key }> => {
  const first = stage.enter({ onForeign: () => first.host.takeIn() });
  await first.host.create(session, BIRTH);
  await first.host.send(session, ASKED);
  const second = stage.enter();
  const [row] = query(second.host.store, "select key from actor where key>'permission/' and key<'permission0'");
  return { first, second, question: row?.["key"] as Key };
};
/** Writes, and looks when the test says so. */
const write = (by: Actor, key: Key) => by.host.write(key, YES, () => () => undefined);
const letters = ({ host }: Actor) => query(host.store, "select key, accepted from letter");
const left = (by: Actor, n = 1) => until(() => letters(by).length === n);

test("is taken in once by its owner, and who left it hears so", async () => {
  const { first, second, question } = await asked();
  const written = write(second, question);
  await left(second);
  expect(words(first.host, S)).toEqual(["born"]);
  first.look();
  first.host.takeIn(); // a second time, before the tick
  await until(() => letters(second)[0]?.["accepted"] === 1);
  second.look();
  expect(await written).toEqual(ACCEPTED);
  expect(words(first.host, S)).toEqual(["born", "question done: yes"]);
  expect(letters(first)).toEqual([]);
  // Nothing holds the session any more.
  expect(await second.host.send(S, note("free"))).toEqual(ACCEPTED);
});

test("of two the first counts, and the other is refused", async () => {
  const { first, second, question } = await asked();
  const third = stage.enter();
  const written = [write(second, question), write(third, question)];
  await left(second, 2);
  first.look();
  await until(() => letters(second).every(({ accepted }) => accepted !== null));
  second.look();
  third.look();
  expect(await Promise.all(written)).toEqual([ACCEPTED, refusal("refused")]);
  expect(words(first.host, S)).toEqual(["born", "question done: yes"]);
});

test("that comes after the question was answered is refused, by an owner that keeps running", async () => {
  const { first, second, question } = await asked();
  await first.host.send(S, { type: "work.asked", label: "goes on" } as never);
  const written = write(second, question);
  await left(second);
  expect(await first.host.send(question, YES)).toEqual(ACCEPTED);
  first.look();
  await until(() => letters(second)[0]?.["accepted"] === 0);
  second.look();
  expect(await written).toEqual(refusal("refused"));
  expect(words(first.host, S)).toEqual(["born", "question done: yes"]);
});

test("that comes after the question was answered is refused, also when its owner has let the session go", async () => {
  const { first, second, question } = await asked();
  const written = write(second, question);
  await left(second);
  expect(await first.host.send(question, YES)).toEqual(ACCEPTED);
  second.look();
  expect(await written).toEqual(refusal("unknown"));
  expect(letters(first)).toEqual([]);
  expect(words(first.host, S)).toEqual(["born", "question done: yes"]);
});

test("that a living owner does not read is taken back", async () => {
  const { first, second, question } = await asked();
  const written = write(second, question);
  await left(second);
  stage.clock.advance(LETTER_LIMIT_MS);
  expect(await written).toEqual(refusal("owned"));
  first.look();
  await rest();
  expect(words(first.host, S)).toEqual(["born"]);
  expect(letters(first)).toEqual([]);
});

test("that was taken back while its owner had it in hand changes nothing", async () => {
  const { first, second, question } = await asked();
  const written = write(second, question);
  await left(second);
  first.host.takeIn(); // its tick comes later
  query(first.host.store, "delete from letter");
  await rest();
  expect(words(first.host, S)).toEqual(["born"]);
  stage.clock.advance(LETTER_LIMIT_MS);
  expect(await written).toEqual(refusal("owned"));
});

test("for an owner that dies is refused by the process that takes the session over", async () => {
  const { first, second, question } = await asked();
  const written = write(second, question);
  await left(second);
  first.crash();
  const third = stage.enter();
  expect(await third.host.send(S, note("mine"))).toEqual(ACCEPTED);
  expect(letters(third)).toEqual([{ key: question, accepted: 0 }]);
  second.look();
  expect(await written).toEqual(refusal("refused"));
  expect(words(third.host, S)).toEqual(["born", "owner lost", "mine"]);
});

test("goes the way of any event when its owner has died and no other process came", async () => {
  const { first, second, question } = await asked();
  const written = write(second, question);
  await left(second);
  first.crash();
  stage.clock.advance(LETTER_LIMIT_MS);
  expect(await written).toEqual(ACCEPTED); // this machine takes an answer after its owner was lost
  expect(words(second.host, S)).toEqual(["born", "owner lost", "question done: yes"]);
});

test("stays while its owner cannot write, and is taken in when it can", async () => {
  let isFull = false;
  const first = stage.enter({
    onForeign: () => first.host.takeIn(),
    failpoint: (name) => {
      if (isFull && name === "commit.inside") throw new Error("the disk is full");
    },
  });
  await first.host.create(S, BIRTH);
  await first.host.send(S, ASKED);
  const second = stage.enter();
  const question = query(second.host.store, "select key from actor where key like 'permission/%'")[0]?.["key"] as Key;
  const written = write(second, question);
  await left(second);
  isFull = true;
  first.look();
  await rest();
  expect(letters(second)).toEqual([{ key: question, accepted: null }]);
  isFull = false;
  stage.clock.advance(1_000);
  await until(() => letters(second)[0]?.["accepted"] === 1);
  second.look();
  expect(await written).toEqual(ACCEPTED);
  expect(words(second.host, S)).toEqual(["born", "question done: yes"]);
});

test("is left to its owner by a process that owns other sessions, and goes with its session", async () => {
  const { first, second, question } = await asked();
  const third = stage.enter({ onForeign: () => third.host.takeIn() });
  await third.host.create(T, BIRTH);
  await third.host.send(T, ASKED);
  const written = write(second, question);
  await left(second);
  third.look();
  await rest();
  expect(letters(second)).toEqual([{ key: question, accepted: null }]);
  const stopped = second.host.stop(); // who waits gives up
  expect(await written).toEqual(refusal("owned"));
  await stopped;
  expect(letters(first)).toEqual([]);
  expect(words(first.host, S)).toEqual(["born"]);
});

test("that is left while its process stops is not waited for", async () => {
  const { first, second, question } = await asked();
  const stopped = second.host.stop();
  expect(await write(second, question)).toEqual(refusal("owned"));
  await stopped;
  expect(letters(first)).toEqual([]);
});

test("that no one waits for any more is swept by the next one", async () => {
  const { first, second, question } = await asked();
  write(second, question).catch(() => undefined);
  await left(second);
  second.crash();
  stage.clock.advance(60_001);
  const third = stage.enter();
  const written = write(third, question);
  await until(() => letters(first).length === 1);
  first.look();
  await until(() => letters(first)[0]?.["accepted"] === 1);
  third.look();
  expect(await written).toEqual(ACCEPTED);
  expect(letters(first)).toEqual([]);
});

test("for what is not there is answered as any event is", async () => {
  const { second } = await asked();
  expect(await write(second, "permission/none")).toEqual(refusal("unknown"));
  expect(letters(second)).toEqual([]);
});
