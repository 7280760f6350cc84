/** Covers `kept-waits.ts`, `kept-tag.ts`, `kept-beside.ts`: work that no worker takes for the time being. */
import { beforeEach, expect, test } from "vitest";
import { KeptSession } from "../../../support/cell.ts";
import { sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
const WORDS = "no worker with the tag";

let kept: KeptSession;
beforeEach(() => {
  kept = new KeptSession();
  kept.take({ is: "birth", input: JSON.stringify({ cwd: "/", principal: "tester" }), tag: "east" });
});
const waits = (nonce: number) => kept.take({ is: "waits", which: { key: S, id: "job", nonce }, words: WORDS });
const started = (): number => kept.send({ type: "work.asked", label: "a" }).starts[0]?.nonce ?? Number.NaN;

test("work of a session that is born with a tag asks for it, also when the cell is made anew", () => {
  expect(kept.send({ type: "work.asked", label: "a" }).starts).toMatchObject([{ id: "job", tag: "east" }]);
});

test("that work waits is said once, with a code (I1)", () => {
  const nonce = started();
  expect(waits(nonce).log.map(({ json }) => JSON.parse(json).payload)).toEqual([
    { severity: "warning", code: "SYSTEM.ENGINE.NO_WORKER", message: WORDS },
  ]);
  expect(waits(nonce).log).toEqual([]);
  expect(waits(nonce + 1).log).toEqual([]); // no such work
  const result = { type: "xstate.done.actor.job", output: "a", actorId: "job" };
  kept.take({ is: "work", which: { key: S, id: "job", nonce }, rows: [], event: JSON.stringify(result) });
  expect([...kept.rows.keys()].filter((name) => name.startsWith("waits "))).toEqual([]);
});

test("work that waits ends when it is cancelled: nobody else would say so", () => {
  waits(started());
  kept.send({ type: "cancel.requested" });
  expect(kept.words).toEqual(["born", WORDS, "job failed: INTERRUPTED"]);
});
