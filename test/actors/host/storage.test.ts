/** Both storages keep the same: whatever is done to them, also what is taken back, they answer alike. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryStorage } from "../../../actors/host/memory/memory-storage.ts";
import { Store } from "../../../actors/host/sqlite/store.ts";
import { GIVEN_UP, type RunPhase, type Storage } from "../../../actors/host/storage.ts";
import type { Within } from "../../../actors/host/within.ts";
import type { Row } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import { id } from "./storages.ts";

const SESSIONS: Key[] = ["session/a", "session/b", "session/c"];
const FOLDERS: { [session: Key]: string } = { "session/b": "/w/deep", "session/c": "/well" };
const WITHIN: Within[] = (["below", "above"] as const).flatMap((type) =>
  ["/", "/w", "/w/", "/w/deep/er", "/well"].map((folder) => ({ type, folder })),
);
const OWNERS = ["me", "you", GIVEN_UP];
const RUNS = ["r", "s", "called"];
const keysOf = (session: Key): Key[] => [session, `turn/${session}`, `permission/${session}`, `input/${session}`];
const KEYS = SESSIONS.flatMap(keysOf);
const ROWS: Row[] = [
  { type: "turn.started", payload: { turn: "t" } },
  { type: "turn.completed", payload: { turn: "t", stopReason: "end_turn" } },
  { type: "session.updated", payload: { title: "a title" } },
  { type: "session.updated", payload: {} },
  { type: "input.answered", payload: { input: "i", text: "" } } as unknown as Row,
  ...RUNS.flatMap((run): Row[] => [
    {
      type: "run.started",
      run,
      ...(run === "called" ? { parentRun: "r" } : {}),
      payload: { workflow: run === "s" ? "v" : "w", plan: [], inputs: {} },
    },
    { type: "run.completed", run, payload: { workflow: "w", status: "failed", exitCode: 1 } },
  ]),
];
const child = (key: Key | null) => ({ src: "turn", nonce: 1, key });
/** With children, also one that is work and one that is no actor any more. */
const FAMILIES = [
  undefined,
  {},
  ...SESSIONS.map((of) => ({ turn: child(`turn/${of}`), work: child(null) })),
  { permission: child("permission/session/a"), input: child("input/session/b"), gone: child("run/gone") },
];
const SNAPS = ["idle", "interrupted", "parked", "open", "decided"].flatMap((value) =>
  FAMILIES.map((children) => JSON.stringify({ value, context: {}, children })),
);

type Step = (storage: Storage) => unknown;
const session = fc.constantFrom(...SESSIONS);
const key = fc.constantFrom(...KEYS);
const owner = fc.constantFrom(...OWNERS);
const snap = fc.constantFrom(...SNAPS);
const sessionOf = (of: Key): Key => SESSIONS.find((one) => keysOf(one).includes(of)) ?? "session/a";
/** Rows of one log come in order, and no run begins twice or after its end: the host sees to that. */
const append = (of: Key, row: Row, time: number): Step => {
  return (storage) => {
    if (storage.sessions.find(of) === undefined) return;
    const known = storage.runs.find(row.run ?? "");
    if (known !== undefined && (row.type === "run.started" || known.ended !== null)) return;
    const { seq, at } = storage.log.head(of);
    storage.log.append(of, { ...row, seq: seq + 1, at: at + time }, JSON.stringify(row));
  };
};
const named = (name: string, step: Step): Step => Object.assign(step, { toString: () => name });

const steps = fc.oneof(
  fc
    .tuple(session, owner)
    .map(([of, by]) =>
      named(`open ${of}`, (s) => s.sessions.open(of, by, FOLDERS[of] ?? "/w", of === "session/c" ? "you" : "me", 7)),
    ),
  fc
    .tuple(session, owner, fc.option(owner))
    .map(([of, by, from]) => named(`take ${of}`, (s) => s.sessions.take(of, by, from))),
  fc.tuple(session, fc.option(owner)).map(([of, by]) => named(`leave ${of}`, (s) => s.sessions.leave(of, 1, by))),
  session.map((of) =>
    named(`drop ${of}`, (s) => {
      for (const one of keysOf(of)) s.actors.drop(one);
      s.sessions.drop(of);
    }),
  ),
  fc.tuple(key, snap, fc.boolean()).map(([of, text, isLong]) =>
    named(`born ${of}`, (s) => {
      if (s.actors.sessionOf(of) !== undefined) return;
      const parent = of === sessionOf(of) ? null : sessionOf(of);
      const birth = JSON.stringify({ of, text: isLong ? "long ".repeat(100) : "" });
      s.actors.add({ key: of, session: sessionOf(of), parent, childId: "c", nonce: 1 }, birth, text);
    }),
  ),
  fc.tuple(key, snap).map(([of, text]) => named(`save ${of} ${text}`, (s) => s.actors.save(of, text))),
  fc.tuple(key, fc.nat(2), id).map(([of, n, result]) =>
    named(`result ${of}`, (s) => {
      if (s.actors.sessionOf(of) !== undefined) s.actors.keepResult(of, { n, state: `s${n}`, result });
    }),
  ),
  fc.tuple(key, fc.nat(2)).map(([of, n]) => named(`unresult ${of}`, (s) => s.actors.dropResults(of, n))),
  key.map((of) => named(`end ${of}`, (s) => s.actors.drop(of))),
  fc
    .tuple(session, fc.constantFrom(...ROWS), fc.nat(3))
    .map(([of, row, time]) => named(`append ${row.type} ${of}`, append(of, row, time))),
  fc
    .tuple(key, id, fc.nat(9))
    .map(([of, name, due]) =>
      named(`timer ${of} ${name}`, (s) => s.timers.set(sessionOf(of), { key: of, id: name, due, event: "{}" })),
    ),
  fc.tuple(key, id).map(([of, name]) => named(`untimer ${of}`, (s) => s.timers.drop(sessionOf(of), of, name))),
  key.map((of) => named(`untimer all ${of}`, (s) => s.timers.dropAll(sessionOf(of), of))),
  fc
    .tuple(key, id, fc.nat(3))
    .map(([of, name, nonce]) => named(`work ${of}`, (s) => s.works.start(sessionOf(of), { key: of, id: name, nonce }))),
  fc.tuple(key, id).map(([of, name]) => named(`unwork ${of}`, (s) => s.works.end(sessionOf(of), of, name))),
  key.map((of) => named(`mail ${of}`, (s) => void s.mail.keep(sessionOf(of), { key: of, event: "{}", nonce: null }))),
  session.map((of) => named(`unmail ${of}`, (s) => s.mail.of(of).map(({ row }) => s.mail.drop(row)).length)),
  fc.tuple(key, id, fc.boolean()).map(([of, name, was]) => named(`see ${of}`, (s) => s.mail.see(of, name, was))),
  key.map((of) => named(`unsee ${of}`, (s) => s.mail.forget(of))),
  fc.tuple(key, fc.nat(9)).map(([of, at]) => named(`letter ${of}`, (s) => s.letters.leave(of, "{}", at) !== undefined)),
  session.map((of) => named(`refuse ${of}`, (s) => s.letters.refuse(of))),
  fc
    .boolean()
    .map((was) => named("answer", (s) => s.letters.unread().map((one) => s.letters.answer(one.id, was)).length)),
  fc.constant(named("take back", (s) => s.letters.unread().map((one) => s.letters.takeBack(one.id)))),
  fc.nat(9).map((at) => named(`sweep ${at}`, (s) => s.letters.sweep(at))),
  fc
    .tuple(fc.constantFrom("/a", "/b"), fc.nat(3))
    .map(([folder, at]) => named("trust", (s) => s.trust.keep(folder, at))),
  fc.constantFrom("/a", "/b").map((folder) => named("untrust", (s) => s.trust.drop(folder))),
  fc
    .tuple(fc.constantFrom("/a", "/b"), fc.constantFrom("m1", "m2"), fc.nat(3))
    .map(([folder, machine, at]) =>
      named("consent", (s) => s.consents.keep({ machine, agent: "a", folder, digest: `${at}`, shown: "{}", at })),
    ),
  fc
    .tuple(fc.constantFrom("/a", "/a/b"), fc.constantFrom("w", "v", "p/w"), fc.nat(3))
    .map(([cwd, workflow, n]) =>
      named("schedule", (s) => s.schedules.keep({ cwd, workflow }, `${cwd} ${workflow} ${n}`)),
    ),
  fc.constantFrom("w", "v").map((workflow) => named("unschedule", (s) => s.schedules.drop({ cwd: "/a", workflow }))),
  fc
    .constantFrom("/a", "/b")
    .map((folder) => named("take consent back", (s) => s.consents.drop({ machine: "m1", agent: "a", folder }))),
);

/** Numbers of mail and letters are the storage's own. */
const unnumbered = (rows: object[]): object[] => rows.map((row) => ({ ...row, row: 0, id: 0 }));
const sorted = (rows: object[]): string[] => rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();
const START = { updated: Number.MAX_SAFE_INTEGER, id: "~" };

const LISTED: RunPhase[][] = [["open", "parked", "completed", "failed"], ["parked"], ["open"], ["failed"]];

const told = (s: Storage): unknown => ({
  page: s.sessions.page({ principal: "me", cwd: "/w", after: START, limit: 2 }),
  rest: s.sessions.page({ principal: "me", cwd: null, after: { updated: 7, id: "session/b" }, limit: 9 }),
  within: WITHIN.flatMap((within) => [null, "me", "you"].map((by) => sorted(s.sessions.within(within, by, 9)))),
  owned: OWNERS.map((by) => sorted(s.sessions.ownedBy(by).map(({ session: of, epoch }) => ({ of, epoch })))),
  sessions: SESSIONS.map((of) => ({
    found: s.sessions.find(of),
    runs: s.sessions.runs(of),
    titles: s.sessions.titlesBeside(of, 9).toSorted(),
    head: s.log.head(of),
    rows: s.log.rows(of, 1, 3),
    page: s.log.page(of, 0, { rows: 4, chars: 120 }),
    before: s.log.before(of, 5, 3, null),
    outline: s.log.outline({ session: of, after: 1, until: 6 }, ["turn.started", "run.started"]),
    turns: s.log.before(of, 99, 9, ["turn.started", "run.started"]),
    first: RUNS.map((run) => s.log.firstOf(of, run)),
    answered: s.log.isAnswered(of, "i"),
    timers: sorted(s.timers.of({ session: of })),
    works: sorted(s.works.of(of)),
    mail: unnumbered(s.mail.of(of)),
    asked: s.actors.openPermissions(of).toSorted(),
    births: s.actors.birthsBelow(of, "long").toSorted(),
  })),
  runs: RUNS.map((run) => s.runs.find(run)),
  named: ["", "r", "c"].flatMap((prefix) => [s.runs.beginning(prefix, null, 2), s.runs.beginning(prefix, "me", 9)]),
  listed: [null, "me", "you"].flatMap((principal) =>
    [null, "w"].flatMap((workflow) =>
      LISTED.map((phases) => [...s.runs.latest({ principal, workflow, phases, until: 6 })]),
    ),
  ),
  actors: KEYS.map((of) => [
    s.actors.load(of),
    s.actors.snap(of),
    s.actors.sessionOf(of),
    s.actors.birthAbove(of),
    s.actors.results(of),
  ]),
  turns: s.actors.birthsOf("turn"),
  seen: KEYS.map((of) => [s.mail.seen(of, "one"), s.mail.seen(of, "two")]),
  timers: OWNERS.map((by) => sorted(s.timers.of({ owner: by }))),
  letters: unnumbered(s.letters.unread()),
  awaited: s.letters.unread().map(({ id: letter }) => s.letters.isAwaited(letter)),
  trust: [s.trust.list(), s.trust.hasOneOf(["/b", "/a"]), s.trust.hasOneOf(["/b"]), s.trust.hasOneOf([])],
  schedules: [s.schedules.list(), s.schedules.find({ cwd: "/a", workflow: "w" })],
  consents: [
    s.consents
      .list()
      .map(({ folder, machine, at }) => `${at} ${folder} ${machine}`)
      .sort(),
    s.consents.find({ machine: "m1", agent: "a", folder: "/a" }),
  ],
});

test("a storage in memory answers as the one on SQLite does, after each commit and each rollback", {
  timeout: 120_000,
}, () => {
  const transaction = fc.record({ steps: fc.array(steps, { maxLength: 12 }), commits: fc.boolean() });
  fc.assert(
    fc.property(fc.array(transaction, { maxLength: 10 }), (transactions) => {
      const folder = mkdtempSync(join(tmpdir(), "troupe-storage-"));
      const file = new Store(join(folder, "troupe.db"), "normal");
      const memory = new MemoryStorage();
      try {
        for (const { steps: all, commits } of transactions) {
          for (const storage of [file, memory]) storage.begin();
          for (const step of all) expect(step(memory), String(step)).toEqual(step(file));
          expect(told(memory)).toEqual(told(file));
          for (const storage of [file, memory]) commits ? storage.commit() : storage.rollback();
          expect(told(memory)).toEqual(told(file));
        }
      } finally {
        file.close();
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: 300 },
  );
});
