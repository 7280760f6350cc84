/** Covers `index-reads.ts`, `shards.ts`: lists of sessions and runs, out of shards by principal and month. */
import { beforeEach, expect, test } from "vitest";
import type { ListedSession, RunAbout, RunQuery, SessionAbout } from "../../../../actors/host/reads.ts";
import { IndexReads } from "../../../../actors/host/restate/index-reads.ts";
import { askedShard, idShard, monthShard, placeAt, shardNamed } from "../../../../actors/host/restate/shards.ts";
import { sessionKey } from "../../../support/host-machines.ts";
import { Shards } from "../../../support/shards.ts";

const [OCTOBER, NOVEMBER] = [Date.UTC(2026, 9, 31), Date.UTC(2026, 10, 1)];
const LATEST = { updated: Number.MAX_SAFE_INTEGER, id: "~" };

let shards: Shards;
let index: IndexReads;
let known: SessionAbout | undefined;
beforeEach(() => {
  shards = new Shards();
  known = undefined;
  index = new IndexReads(shards, () => known);
});

async function put(shard: string, list: string, id: string, place: string, value: object): Promise<void> {
  await shards.take([{ shard, put: { list, id, n: 1, at: { place, value: JSON.stringify(value) } } }]);
}
const session = (id: string, updated: number, { principal = "ann", cwd = "/w" } = {}) =>
  put(monthShard(principal, updated), "sessions", id, placeAt(updated, id), {
    ...{ session: sessionKey(id), cwd, principal, updated, title: `of ${id}` },
  });
type Run = { at: number; principal?: string; cwd?: string; workflow?: string; stands?: RunAbout["stands"] };
async function run(
  id: string,
  { at, principal = "ann", cwd, workflow = "w", stands = "completed" }: Run,
): Promise<void> {
  const of = cwd === undefined ? null : { cwd, principal };
  const about = { run: id, at, workflow, stands, of };
  await put(monthShard(principal, at), "runs", id, placeAt(at, id), about);
  if (stands === "running") await put(monthShard(principal, at), "open", id, placeAt(at, id), about);
  await put(idShard(id), "ids", id, id, { session: sessionKey(`of-${id}`), principal });
}
const asked = (id: string, principal: string, workflow = "w") =>
  put(askedShard(principal), "asked", id, placeAt(NOVEMBER, id), { run: id, workflow, stands: "running", of: null });
async function latest(query: Partial<RunQuery> = {}): Promise<string[]> {
  const found: string[] = [];
  const all = { principal: null, until: NOVEMBER + 999, workflow: null, stands: null, within: null, ...query };
  for await (const about of index.runs.latest(all)) found.push(about.run);
  return found;
}
const page = async (query: object = {}): Promise<string[]> => {
  const found = await index.sessions.page({ principal: "ann", cwd: null, after: LATEST, limit: 2, ...query });
  return found.map(({ session: key }: ListedSession) => key.slice("session/".length));
};

test("sessions come newest first, over months, as many as were asked for, from where a page begins (I1, I3)", async () => {
  await session("a", OCTOBER);
  await session("b", NOVEMBER);
  await session("c", NOVEMBER + 1);
  await session("elsewhere", NOVEMBER + 2, { cwd: "/elsewhere" });
  await session("bob's", NOVEMBER + 3, { principal: "bob" });
  expect(await page()).toEqual(["elsewhere", "c"]);
  expect(await page({ after: { updated: NOVEMBER + 1, id: "c" } })).toEqual(["b", "a"]);
  expect(await page({ cwd: "/w", limit: 9 })).toEqual(["c", "b", "a"]);
  expect(await page({ limit: 1, principal: "bob" })).toEqual(["bob's"]);
  expect(await page({ principal: "an" })).toEqual([]);
});

test("one session in two months, as it is while it moves, is one: the newer", async () => {
  await session("a", OCTOBER);
  await session("a", NOVEMBER);
  const found = await index.sessions.page({ principal: "ann", cwd: null, after: LATEST, limit: 9 });
  expect(found.map(({ updated }) => updated)).toEqual([NOVEMBER]);
});

test("runs of all principals come as of one list, those that wait to begin first, each once", async () => {
  await run("a1", { at: OCTOBER });
  await run("a2", { at: NOVEMBER + 2 });
  await run("b1", { at: NOVEMBER + 1, principal: "bob" });
  await run("b2", { at: NOVEMBER + 3, principal: "bob" });
  await asked("b3", "bob");
  await asked("b1", "bob"); // it has begun just now
  expect(await latest()).toEqual(["b3", "b1", "b2", "a2", "a1"]);
  expect(await latest({ principal: "ann" })).toEqual(["a2", "a1"]);
  expect(await latest({ until: NOVEMBER + 2 })).toEqual(["b3", "b1", "a2", "a1"]);
  expect(await latest({ until: NOVEMBER + 1 })).toEqual(["b3", "b1", "a1"]);
});

test("runs are those of a workflow, in one of some states, in a folder or below it", async () => {
  await run("root", { at: OCTOBER, cwd: "/w", workflow: "x" });
  await run("below", { at: OCTOBER + 1, cwd: "/w/sub", stands: "failed" });
  await run("beside", { at: OCTOBER + 2, cwd: "/well", stands: "running" });
  await run("nowhere", { at: OCTOBER + 3 });
  expect(await latest({ workflow: "x" })).toEqual(["root"]);
  expect(await latest({ stands: ["failed", "completed"] })).toEqual(["nowhere", "below", "root"]);
  expect(await latest({ stands: ["running"] })).toEqual(["beside"]);
  expect(await latest({ stands: ["running", "failed"] })).toEqual(["beside", "below"]);
  const within = (type: "below" | "above", folder: string) => latest({ within: { type, folder } });
  expect(await within("below", "/w")).toEqual(["below", "root"]);
  expect(await within("below", "/w/")).toEqual(["below"]);
  expect(await within("below", "/")).toEqual(["beside", "below", "root"]);
  expect(await within("above", "/w/sub/deep")).toEqual(["below", "root"]);
  expect(await within("above", "/")).toEqual([]);
});

test("what is open is read from a list of its own: runs that have ended cost nothing", async () => {
  for (let i = 0; i < 500; i++) await run(`r${i}`, { at: OCTOBER + i });
  await run("last", { at: OCTOBER - 1, stands: "running" });
  shards.calls = 0;
  expect(await latest({ stands: ["running", "parked", "interrupted"] })).toEqual(["last"]);
  expect(shards.calls).toBe(1);
  expect(await latest({ stands: ["failed"] })).toEqual([]);
  expect(shards.calls).toBeGreaterThan(2);
});

test("a run is found by the beginning of its id, as many as were asked for, of one principal or all", async () => {
  for (const [id, principal] of [
    ["ab1", "ann"],
    ["ab2", "bob"],
    ["ab3", "ann"],
    ["ac", "ann"],
    ["b", "ann"],
  ] as const)
    await run(id, { at: OCTOBER, principal });
  expect(await index.runs.beginning("ab", null, 9)).toEqual(["ab1", "ab2", "ab3"]);
  expect(await index.runs.beginning("ab", "ann", 9)).toEqual(["ab1", "ab3"]);
  expect(await index.runs.beginning("ab", "ann", 1)).toEqual(["ab1"]);
  expect([await index.sessionOf("ab2"), await index.sessionOf("ab")]).toEqual([sessionKey("of-ab2"), undefined]);
  expect(await index.runs.gathered()).toBeUndefined();
});

test("titles beside a session are of its principal and folder; one that is not known here has none", async () => {
  await session("a", NOVEMBER);
  await session("b", NOVEMBER + 1);
  await session("elsewhere", NOVEMBER, { cwd: "/elsewhere" });
  expect(await index.sessions.titlesBeside(sessionKey("a"), 9)).toEqual([]);
  known = { principal: "ann", cwd: "/w" } as SessionAbout;
  expect(await index.sessions.titlesBeside(sessionKey("a"), 9)).toEqual(["of b", "of a"]);
  expect(await index.sessions.titlesBeside(sessionKey("a"), 1)).toEqual(["of b"]);
  expect(await index.sessions.cursorKey()).toBe("k");
});

test("shards say what they are by their names, whatever a principal is called", () => {
  expect(shardNamed(monthShard("ann of accounts", OCTOBER))).toEqual({
    ...{ kind: "month", month: "2026-10", principal: "ann of accounts" },
  });
  expect(shardNamed(askedShard("ann of accounts"))).toEqual({ kind: "asked", principal: "ann of accounts" });
  expect([shardNamed(idShard("abc")), shardNamed("all"), shardNamed("")]).toEqual([null, null, null]);
  expect([idShard("abc"), placeAt(7, "id"), placeAt(1e15, "id")]).toEqual([
    "ids a",
    "0000000000000007 id",
    "1000000000000000 id",
  ]);
});
