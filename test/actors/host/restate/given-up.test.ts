/** Covers `given-up.ts`: what a session keeps of an event on which our own code breaks. */
import { beforeEach, expect, test } from "vitest";
import { failureOf, givenUp } from "../../../../actors/host/restate/given-up.ts";
import type { Post } from "../../../../actors/host/restate/protocol.ts";
import { success } from "../../../../actors/host/workers.ts";
import { KeptSession } from "../../../support/cell.ts";
import { sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
const MAIL: Post = { is: "mail", key: S, event: JSON.stringify({ type: "note.taken", text: "x" }) };
let kept: KeptSession;
beforeEach(() => {
  kept = new KeptSession();
  kept.birth();
});
const giveUp = (post: Post, now = kept.now) => givenUp({ post, version: kept.version, words: "it broke" }, now);
const MESSAGE = "note.taken for session/s could not be taken, and was given up: it broke";

test("a row says so, after the last one; the next event is taken by a cell of what is kept then (I1)", () => {
  const outcome = kept.keep(giveUp(MAIL));
  expect(outcome.reply).toEqual({ delivery: null, fault: MESSAGE });
  kept.send({ type: "note.taken", text: "next" });
  expect(kept.log.map(({ seq, at }) => [seq, at])).toEqual([1, 2, 3].map((seq) => [seq, 1_000]));
  expect(kept.words).toEqual(["born", MESSAGE, "next"]);
  expect(JSON.parse(kept.log[1]?.json ?? "")).toMatchObject({ payload: { code: "SYSTEM.ENGINE.EVENT_FAILED" } });
});

test("no row is older than the one before it", () => {
  expect(giveUp(MAIL, 5).log).toMatchObject([{ at: 1_000 }]);
});

test("a result becomes the failure of its work, rows that work has said are left out (I2)", () => {
  kept.send({ type: "work.asked", label: "a" });
  const which = { key: S, id: "job", nonce: 1 } as const;
  const work = { is: "work", which, rows: [{ row: "no JSON", at: 1 }], event: JSON.stringify(success("job", "x")) };
  const instead = failureOf({ post: work as Post, version: kept.version, words: "it broke" }, 7);
  kept.take(instead as Post);
  const said = "what job of session/s has said could not be taken, and was given up: it broke";
  expect(kept.words).toEqual(["born", said, "job failed: SYSTEM.ENGINE.EVENT_FAILED"]);
  expect(failureOf({ post: { ...work, event: null } as Post, version: kept.version, words: "" }, 7)).toBeNull();
  expect(failureOf({ post: MAIL, version: kept.version, words: "" }, 7)).toBeNull();
});

test("a timer is gone (I3)", () => {
  const [timer] = kept.send({ type: "alarm.set", ms: 100 }).timers;
  const { key, id, due } = timer!;
  kept.keep(giveUp({ is: "due", key, id, due }));
  expect([...kept.rows.keys()].filter((name) => name.startsWith("timer "))).toEqual([]);
});

test("where there is no session, none is made", () => {
  const outcome = givenUp({ post: { is: "birth", input: "{}" }, version: null, words: "it broke" }, 1);
  expect(outcome).toMatchObject({
    n: 0,
    rows: [],
    log: [],
    reply: { fault: expect.stringContaining("a new session") },
  });
});
