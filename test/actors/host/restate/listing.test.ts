/** Covers `listing.ts`, `shards.ts`: what commits note, and what lists make of it. */
import { beforeEach, expect, test } from "vitest";
import { IndexReads } from "../../../../actors/host/restate/index-reads.ts";
import { forgetting, isNoted } from "../../../../actors/host/restate/listing.ts";
import type { NamedRow, Outcome } from "../../../../actors/host/restate/protocol.ts";
import { success } from "../../../../actors/host/workers.ts";
import type { Row } from "../../../../machines/exchange.ts";
import { KeptSession } from "../../../support/cell.ts";
import { sessionKey } from "../../../support/host-machines.ts";
import { Shards } from "../../../support/shards.ts";

const S = sessionKey("s");
const WORK = { key: S, id: "job", nonce: 1 };
const DAY = 86_400_000;
const [OCTOBER, NOVEMBER] = [Date.UTC(2026, 9, 31), Date.UTC(2026, 10, 1)];
const ALL = { principal: null, until: NOVEMBER + DAY, workflow: null, stands: null, within: null };

let kept: KeptSession;
let shards: Shards;
let index: IndexReads;
beforeEach(async () => {
  kept = new KeptSession();
  shards = new Shards();
  index = new IndexReads(shards, () => undefined);
  kept.now = OCTOBER;
  await taken(kept.birth());
});
const taken = async (outcome: Outcome): Promise<Outcome> => {
  await shards.take(outcome.notes);
  return outcome;
};
const row = (value: object, at: number) => ({ row: JSON.stringify(value as Row), at });
const says = (rows: ReturnType<typeof row>[]) => taken(kept.take({ is: "work", which: WORK, rows, event: null }));
const title = (at: number) => row({ type: "session.updated", payload: { title: "first words" } }, at);
const started = (run: string, at: number, parentRun?: string) =>
  row({ type: "run.started", run, ...(parentRun ? { parentRun } : {}), payload: { workflow: "w" } }, at);
const completed = (run: string, at: number) =>
  row({ type: "run.completed", run, payload: { workflow: "w", status: "failed", exitCode: 3 } }, at);
const page = (principal = "tester", cwd: string | null = null) =>
  index.sessions.page({ principal, cwd, after: { updated: Number.MAX_SAFE_INTEGER, id: "~" }, limit: 5 });
const runs = async (query: object = {}) => {
  const found = [];
  for await (const one of index.runs.latest({ ...ALL, ...query })) found.push(one);
  return found;
};

test("a session is listed from its first prompt on, and its runs as they stand (I1, I3)", async () => {
  await taken(kept.send({ type: "work.asked", label: "a" }));
  expect(await page()).toEqual([]);
  await says([title(OCTOBER), started("r1", OCTOBER)]);
  expect(await page()).toMatchObject([{ session: S, cwd: "/", title: "first words", isOwned: true }]);
  expect(await runs()).toMatchObject([{ run: "r1", session: S, stands: "running", begun: true, end: null }]);
  expect(await runs({ stands: ["running"] })).toHaveLength(1);
  await says([completed("r1", NOVEMBER)]);
  expect(await runs({ stands: ["running", "parked"] })).toEqual([]);
  const end = { status: "failed", exitCode: 3, at: NOVEMBER };
  expect(await runs({ stands: ["failed"] })).toMatchObject([{ run: "r1", at: OCTOBER, stands: "failed", end }]);
});

test("what has not changed is not noted again, nor by a worker that has never seen the session (I1)", async () => {
  await taken(kept.send({ type: "work.asked", label: "a" }));
  expect((await says([title(OCTOBER), started("r1", OCTOBER)])).notes).toHaveLength(4);
  expect((await says([row({ type: "notice", payload: { severity: "info", message: "m" } }, OCTOBER)])).notes).toEqual(
    [],
  );
  expect((await says([completed("r1", OCTOBER)])).notes.map(({ put }) => [put.list, put.at === null])).toEqual([
    ["runs", false],
    ["open", true],
  ]);
  const last = await taken(
    kept.take({ is: "work", which: WORK, rows: [], event: JSON.stringify(success("job", null)) }),
  );
  expect(last.notes.map(({ put }) => put.list)).toEqual(["sessions"]); // nobody works for it now
});

test("a session that is used in another month is listed there, once", async () => {
  await taken(kept.send({ type: "work.asked", label: "a" }));
  await says([title(OCTOBER)]);
  await says([row({ type: "turn.completed", payload: { turn: "t", stopReason: "end_turn" } }, NOVEMBER)]);
  expect((await page()).map(({ updated }) => updated)).toEqual([NOVEMBER]);
  expect((await shards.shards()).shards).toEqual(["month 2026-10 tester", "month 2026-11 tester"]);
});

test("principals are kept apart, and folders; who asks for everybody's sees all", async () => {
  await taken(kept.send({ type: "work.asked", label: "a" }));
  await says([title(OCTOBER), started("r1", OCTOBER)]);
  expect([await page("other"), await page("tester", "/elsewhere")]).toEqual([[], []]);
  expect(await runs({ principal: "other" })).toEqual([]);
  expect(await runs({ within: { type: "below", folder: "/elsewhere" } })).toEqual([]);
  expect(
    [await runs({ principal: "tester" }), await runs({ within: { type: "below", folder: "/" } })].map(
      ({ length }) => length,
    ),
  ).toEqual([1, 1]);
  expect(await index.runs.beginning("r", "other", 5)).toEqual([]);
});

test("a run is found by its id and by the beginning of it; one of another run is in no list", async () => {
  await taken(kept.send({ type: "work.asked", label: "a" }));
  await says([title(OCTOBER), started("abc", OCTOBER), started("abd", OCTOBER, "abc")]);
  expect((await runs()).map(({ run }) => run)).toEqual(["abc"]);
  expect(await index.runs.beginning("ab", null, 5)).toEqual(["abc", "abd"]);
  expect(await index.runs.beginning("ab", null, 1)).toEqual(["abc"]);
  expect([await index.sessionOf("abd"), await index.sessionOf("ab"), await index.sessionOf("")]).toEqual([
    S,
    undefined,
    undefined,
  ]);
});

test("a session that is removed takes along what was noted of it", async () => {
  await taken(kept.send({ type: "work.asked", label: "a" }));
  await says([title(OCTOBER), started("r1", OCTOBER)]);
  const noted = [...kept.rows].filter(([name]) => isNoted(name)).map((one): NamedRow => one);
  await shards.take(forgetting(noted, 99));
  expect([await page(), await runs(), await index.sessionOf("r1")]).toEqual([[], [], undefined]);
});
