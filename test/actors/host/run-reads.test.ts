/** Covers `run-reads.ts`: what a read of many runs asks of the machine that they run on. */
import { expect, it } from "vitest";
import { type RunReader, runReads } from "../../../actors/host/run-reads.ts";

it("asks once for each owner whether it lives, however many runs it has, and anew in the next read", async () => {
  const asked: string[] = [];
  const rows = Array.from({ length: 40 }, (_, index) => ({
    ...{ run: `r${index}`, session: `session/s${index}`, workflow: "w", parentRun: null, phase: "open" },
    ...{ begun: { seq: 1, at: index }, ended: null },
  }));
  const storage = {
    stand: () => undefined,
    actors: { birthsOf: () => [], snap: () => undefined },
    runs: { latest: () => rows },
    sessions: {
      find: (session: string) => ({
        session,
        owner: Number(session.slice("session/s".length)) % 2 === 0 ? "one" : "two",
      }),
    },
  };
  const isAlive = (owner: string): boolean => asked.push(owner) > 0 && owner === "one";
  const reads = runReads({ storage, owner: { isAlive } } as unknown as RunReader);
  const read = async () => {
    const found: string[] = [];
    const query = { principal: null, until: 100, workflow: null, stands: null, within: null };
    for await (const { stands } of reads.latest(query)) found.push(stands);
    return found;
  };
  expect((await read()).slice(0, 3)).toEqual(["running", "interrupted", "running"]);
  expect(asked).toEqual(["one", "two"]);
  await read();
  expect(asked).toEqual(["one", "two", "one", "two"]);
});

it("reads the runs of a folder's few sessions where too many of others come first", async () => {
  const row = (run: string, at: number) => ({
    ...{ run, session: `session/${run}`, workflow: "w", parentRun: null, phase: "completed", ended: 2 },
    begun: { seq: 1, at },
  });
  let passed = 0;
  function* others() {
    for (let n = 0; n < 100_000; n++) {
      passed += 1;
      yield n === 10 ? row("late", 200_000 - n) : row(`other${n}`, 200_000 - n);
    }
  }
  const cwdOf = (session: string): string => (session.startsWith("session/other") ? "/other" : "/mine");
  const storage = {
    stand: () => undefined,
    actors: { birthsOf: () => [], snap: () => undefined },
    log: { before: () => ["late", "mine"].map((run, n) => ({ run, seq: 9 - n })), rows: () => [] },
    runs: {
      find: (run: string) => (run === "mine" ? row(run, 5) : row(run, 199_990)),
      latest: ({ phases }: { phases: string[] }) => (phases.length === 1 ? [] : others()),
    },
    sessions: {
      find: (session: string) => ({ session, owner: null, cwd: cwdOf(session) }),
      within: () => [{ session: "session/mine", updated: 7 }],
    },
  };
  const reads = runReads({ storage, owner: { isAlive: () => false } } as unknown as RunReader);
  const within = { type: "above", folder: "/mine" } as const;
  const found: string[] = [];
  const query = { principal: null, until: 999_999, workflow: null, stands: null, within };
  for await (const { run } of reads.latest(query)) found.push(run);
  expect(found).toEqual(["late", "mine"]);
  expect(passed).toBe(101);
});
