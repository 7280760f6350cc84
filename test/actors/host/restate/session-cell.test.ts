/** Covers `session-cell.ts`, `rows.ts`, `kept-head.ts`: what one event comes to, as data, from what an engine keeps. */
import { beforeEach, expect, test } from "vitest";
import type { Outcome } from "../../../../actors/host/restate/protocol.ts";
import { failure, success } from "../../../../actors/host/workers.ts";
import { Masking } from "../../../../actors/masking/masking.ts";
import { KeptSession } from "../../../support/cell.ts";
import { sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
const ACCEPTED = { accepted: true };
const REFUSED = { accepted: false, reason: "refused" };
const json = JSON.stringify;
const info = (message: string) => ({ at: 5, row: json({ type: "notice", payload: { severity: "info", message } }) });

let kept: KeptSession;
beforeEach(() => {
  kept = new KeptSession();
  kept.birth();
});
/** A snapshot that was restored may have fields more, which its machine has not written yet. */
const comparable = ({ version: { stamp: _, ...version }, rows, ...rest }: Outcome) => ({
  ...rest,
  version,
  rows: rows.map(([name, row]) => [name, name.startsWith("actor ") ? row !== null : row]),
});
const which = (nonce: number) => ({ key: S, id: "job", nonce });

test("an event and all that it causes is one commit, numbered without a gap (I1)", () => {
  const { n, log, reply } = kept.send({ type: "echo.asked", text: "back" });
  expect([n, reply.delivery, log.map(({ seq }) => seq)]).toEqual([2, ACCEPTED, [2]]);
  expect(kept.send({ type: "note.taken", text: "next" }).log.map(({ seq }) => seq)).toEqual([3]);
  expect(kept.words).toEqual(["born", "back", "next"]);
});

test("a cell that stays answers as one that is made anew for each event", () => {
  const events = [
    { type: "child.asked", label: "a" },
    { type: "note.taken", text: "x" },
    { type: "child.told", event: { type: "cancel.requested" } },
    { type: "child.dropped" },
    { type: "alarm.set", ms: 100 },
    { type: "alarm.dropped" },
    { type: "work.asked", label: "b" },
  ];
  const other = new KeptSession();
  other.birth();
  const staying = other.cell();
  for (const event of events) {
    const anew = kept.send(event);
    const stayed = other.keep(staying.take({ is: "mail", key: S, event: json(event) }));
    expect(comparable(stayed)).toEqual(comparable(anew));
  }
  expect([...other.rows.keys()].sort()).toEqual([...kept.rows.keys()].sort());
});

test("what is not taken changes nothing that is kept", () => {
  const before = kept.rows.size;
  expect(kept.birth().reply.fault).toContain("session/s");
  expect(kept.send({ type: "alarm.dropped" }).reply.delivery).toEqual(REFUSED);
  expect(new KeptSession().send({ type: "note.taken" }).reply.delivery).toEqual({ accepted: false, reason: "unknown" });
  expect([kept.words, kept.rows.size]).toEqual([["born"], before]);
});

test("an event with a name is taken once, by whichever cell", () => {
  expect(kept.send({ type: "note.taken", text: "once" }, "d").reply.delivery).toEqual(ACCEPTED);
  expect(kept.send({ type: "note.taken", text: "once" }, "d").reply.delivery).toEqual(ACCEPTED);
  expect(kept.words).toEqual(["born", "once"]);
});

test("rows and results of work count while its start is waited for (I2)", () => {
  const [start] = kept.send({ type: "work.asked", label: "a" }).starts;
  expect(start).toMatchObject({ key: S, id: "job", nonce: 1, src: "job", n: 2, input: json({ label: "a" }) });
  const [again] = kept.send({ type: "work.restarted" }).starts;
  expect(again?.nonce).toBe(2);
  kept.take({ is: "work", which: which(1), rows: [info("late")], event: json(success("job", "old")) });
  kept.take({ is: "work", which: which(2), rows: [info("said")], event: null });
  kept.take({ is: "work", which: which(2), rows: [info("last")], event: json(success("job", "new")) });
  kept.take({ is: "work", which: which(2), rows: [info("late")], event: json(success("job", "new")) });
  expect(kept.words).toEqual(["born", "said", "last", "job done: new"]);
});

test("a timer fires at the time for which it was set last, once (I2)", () => {
  const [first] = kept.send({ type: "alarm.set", ms: 100 }).timers;
  kept.now += 50;
  const [second] = kept.send({ type: "alarm.set", ms: 100 }).timers;
  expect([first, second]).toEqual([
    { key: S, id: expect.any(String), due: 1_100, delayMs: 100 },
    { key: S, id: first?.id, due: 1_150, delayMs: 100 },
  ]);
  for (const { key, id, due } of [first!, second!, second!]) kept.take({ is: "due", key, id, due });
  expect(kept.words).toEqual(["born", "rang"]);
  const [third] = kept.send({ type: "alarm.set", ms: 100 }).timers;
  kept.send({ type: "alarm.dropped" });
  kept.take({ is: "due", key: S, id: third!.id, due: third!.due });
  expect(kept.words).toEqual(["born", "rang"]);
});

test("what a machine says to its work is kept until that ends (I3)", () => {
  kept.send({ type: "work.forked" });
  kept.send({ type: "cancel.requested" });
  const name = `orders ${S} left 1`;
  expect(kept.rows.get(name)).toBe(json([{ do: "cancel" }]));
  const left = { key: S, id: "left", nonce: 1 };
  kept.take({ is: "work", which: left, rows: [], event: json(failure("left", { code: "ABORTED", message: "" })) });
  expect([kept.rows.has(name), kept.rows.has(`orders ${S} right 2`)]).toEqual([false, true]);
});

test("a session of which something runs is the engine's, else nobody's (I4)", () => {
  const owner = (): unknown => (JSON.parse(kept.rows.get("session") ?? "{}") as { owner: unknown }).owner;
  expect(owner()).toBeNull();
  kept.send({ type: "work.asked", label: "a" });
  expect(owner()).toBe("engine");
  kept.take({ is: "work", which: which(1), rows: [], event: json(success("job", "ok")) });
  expect(owner()).toBeNull();
});

test("no value of a secret is in what an event comes to", () => {
  const mask = new Masking([["TOKEN", "canary-7f3a9b2c41"]]);
  kept = new KeptSession(mask);
  kept.birth();
  const outcome = kept.take({
    is: "mail",
    key: S,
    event: mask.hide({ type: "work.asked", label: "canary-7f3a9b2c41" }),
  });
  kept.take({ is: "mail", key: S, event: mask.hide({ type: "note.taken", text: "it is canary-7f3a9b2c41" }) });
  expect(json([outcome, [...kept.rows], kept.log])).not.toContain("canary-7f3a9b2c41");
  expect(mask.reveal(outcome.starts[0]?.input ?? "")).toEqual({ label: "canary-7f3a9b2c41" });
});
