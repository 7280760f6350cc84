/** The list of sessions over a store of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionQuery } from "../../../../actors/api/records.ts";
import { CURSOR_TTL_MS } from "../../../../actors/facade/sessions/cursor.ts";
import { listSessions, MAX_PAGE } from "../../../../actors/facade/sessions/list.ts";
import { distinctTitle, MAX_TITLE_CHARS } from "../../../../actors/facade/sessions/title.ts";
import { sessionReads } from "../../../../actors/host/session-reads.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import type { Row } from "../../../../machines/exchange.ts";
import { query } from "../../../support/sql.ts";

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-list-"));
  store = new Store(join(folder, "troupe.db"), "normal");
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

type Put = { id: string; updated: number; cwd?: string; principal?: string; owner?: string; snap?: object };
function put({ id, updated, cwd = "/w", principal = "me", owner, snap }: Put): void {
  const key = `session/${id}`;
  query(
    store,
    "insert into session(id, owner, cwd, principal, created, title, updated, epoch) values(?,?,?,?,?,?,?,1)",
    key,
    owner ?? null,
    cwd,
    principal,
    0,
    `title of ${id}`,
    updated,
  );
  if (snap !== undefined)
    query(
      store,
      "insert into actor(key, session, child, nonce, input, snap) values(?,?,'',0,'{}',?)",
      key,
      key,
      JSON.stringify(snap),
    );
}
const sessions = () =>
  sessionReads({
    storage: store,
    owner: { self: "me", isAlive: (owner) => owner === "alive" },
    read: () => undefined,
    described: () => [],
  });
const list = (query: SessionQuery = {}, { principal = "me", now = 0 } = {}) =>
  listSessions(query, { sessions: sessions(), principal, now });
const sessionsIn = async (...asked: Parameters<typeof list>) => (await list(...asked)).sessions;
const ids = async (query: SessionQuery = {}): Promise<string[]> => (await sessionsIn(query)).map(({ id }) => id);

test("last used first, of one user, of one directory where one is named", async () => {
  put({ id: "old", updated: 1 });
  put({ id: "new", updated: 3, cwd: "/v" });
  put({ id: "other", updated: 2, principal: "you" });
  put({ id: "same-b", updated: 2 });
  put({ id: "same-a", updated: 2 });
  expect(await ids()).toEqual(["new", "same-b", "same-a", "old"]);
  expect(await ids({ cwd: "/w" })).toEqual(["same-b", "same-a", "old"]);
  expect(await ids({ cwd: "/w/" })).toEqual(["same-b", "same-a", "old"]);
  expect((await sessionsIn())[0]).toEqual({ id: "new", cwd: "/v", title: "title of new", updatedAt: 3, state: "idle" });
});

test("the rows of a log keep a session's title and the time of its last turn, to a second", async () => {
  put({ id: "a", updated: 1 });
  let seq = 0;
  const append = (row: Row, at: number): void =>
    store.log.append("session/a", { ...row, seq: ++seq, at }, JSON.stringify(row));
  const about = async () => (await sessionsIn()).map(({ title, updatedAt }) => [title, updatedAt]);
  const begins: Row = { type: "turn.started", payload: { turn: "t" } };
  const ends: Row = { type: "turn.completed", payload: { turn: "t", stopReason: "end_turn" } };
  append({ type: "session.updated", payload: { title: "/demo" } }, 2);
  expect(await about()).toEqual([["/demo", 2]]);
  append(begins, 1_002);
  append({ type: "notice", payload: { severity: "info", message: "m" } }, 4_000);
  append({ type: "session.updated", payload: {} }, 5_000);
  expect(await about()).toEqual([["/demo", 1_002]]);
  append(ends, 2_001);
  expect(await about()).toEqual([["/demo", 1_002]]);
  append(ends, 2_002);
  expect(await about()).toEqual([["/demo", 2_002]]);
  append(begins, 2); // the clock was set back
  expect(await about()).toEqual([["/demo", 2]]);
});

test("says what a session does now", async () => {
  const run = { workflow: "w" };
  put({ id: "a", updated: 9, owner: "alive", snap: { value: "prompted", context: { run } } });
  put({ id: "b", updated: 8, snap: { value: "parked", context: { run } } });
  put({ id: "c", updated: 7, owner: "dead", snap: { value: "prompted", context: { run } } });
  put({ id: "d", updated: 6, snap: { value: "interrupted", context: { run } } });
  put({ id: "e", updated: 5, owner: "dead", snap: { value: "prompted", context: { run: null } } });
  put({ id: "f", updated: 4, snap: { value: "idle", context: { run: null } } });
  expect((await sessionsIn()).map(({ state }) => state)).toEqual([
    "running",
    "parked",
    "interrupted",
    "interrupted",
    "idle",
    "idle",
  ]);
});

test("pages together are the list, whatever their size", async () => {
  return fc.assert(
    fc.asyncProperty(fc.array(fc.nat(5), { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), async (times, limit) => {
      query(store, "delete from session");
      for (const [i, updated] of times.entries()) put({ id: `s${i}`, updated });
      const whole = await ids({ limit: MAX_PAGE });
      const paged: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await list({ cursor, limit });
        paged.push(...page.sessions.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(paged).toEqual(whole);
    }),
    { numRuns: 50 },
  );
});

test("a cursor is refused in another list, for another user, after its time, and when it was changed", async () => {
  for (let i = 0; i < 4; i++) put({ id: `s${i}`, updated: i });
  const cursor = (await list({ limit: 2, cwd: "/w" })).nextCursor ?? "";
  const says = (message: string) => expect.objectContaining({ code: "USER.SESSION.CURSOR", message });
  const foreign = says("the cursor is not one of this list: list again from the start, without a cursor");
  const late = says("the cursor has expired: list again from the start, without a cursor");
  expect(await ids({ cursor, cwd: "/w" })).toEqual(["s1", "s0"]);
  await expect(list({ cursor })).rejects.toThrow(foreign);
  await expect(list({ cursor, cwd: "/v" })).rejects.toThrow(foreign);
  await expect(list({ cursor, cwd: "/w" }, { principal: "you" })).rejects.toThrow(foreign);
  expect(await sessionsIn({ cursor, cwd: "/w" }, { now: CURSOR_TTL_MS - 1 })).toHaveLength(2);
  await expect(list({ cursor, cwd: "/w" }, { now: CURSOR_TTL_MS })).rejects.toThrow(late);
  const forged = Buffer.from(JSON.stringify([99, "session/z", 0])).toString("base64url");
  for (const text of ["", ".", "..", "x", `${forged}.${cursor.split(".")[1]}`, `${cursor}.x`, cursor.slice(0, -2)])
    await expect(list({ cursor: text, cwd: "/w" })).rejects.toThrow(foreign);
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 60 }), async (text) => {
      await expect(list({ cursor: text })).rejects.toThrow(foreign);
    }),
  );
});

test("a directory is named by an absolute path", async () => {
  await expect(list({ cwd: "w" })).rejects.toThrow(expect.objectContaining({ code: "USER.SESSION.CWD" }));
});

test("a session that was never prompted is in no list; one that was is, also without a title (I3)", async () => {
  for (const id of ["new", "refused"]) {
    put({ id, updated: 1 });
    query(store, "update session set title=null where id=?", `session/${id}`);
    const opened: Row = { type: "session.opened", payload: { cwd: "/w", principal: "me" } };
    store.log.append(`session/${id}`, { ...opened, seq: 1, at: 1 }, JSON.stringify(opened));
  }
  const started: Row = { type: "turn.started", payload: { turn: "t" } };
  store.log.append("session/refused", { ...started, seq: 2, at: 2 }, JSON.stringify(started));
  expect((await sessionsIn()).map(({ id, title }) => [id, title])).toEqual([["refused", null]]);
});

test("a title that another session of the directory has gets the next number, and stays as short", async () => {
  const titled = (id: string, title: string | null, cwd = "/w"): void => {
    put({ id, updated: 1, cwd });
    query(store, "update session set title=? where id=?", title, `session/${id}`);
  };
  const of = (title: string): Promise<string> => distinctTitle(title, "session/me", { sessions: sessions() });
  titled("me", null);
  titled("far", "/visit", "/v");
  expect([await of("/visit"), await of("")]).toEqual(["/visit", ""]);
  titled("a", "/visit");
  expect(await of("/visit")).toBe("/visit (2)");
  titled("b", "/visit (7)");
  expect([await of("/visit"), await of("/visit (7)"), await of("/vis")]).toEqual([
    "/visit (8)",
    "/visit (7) (2)",
    "/vis",
  ]);
  const long = "x".repeat(MAX_TITLE_CHARS);
  titled("c", long);
  titled("d", await of(long));
  expect([(await of(long)).length, (await of(long)).slice(-5)]).toEqual([MAX_TITLE_CHARS, "… (3)"]);
});
