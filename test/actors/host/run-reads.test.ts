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

it("reads the runs of a folder's few sessions, and looks at no other run", async () => {
  const row = { ...{ run: "mine", session: "session/mine", workflow: "w", parentRun: null }, phase: "completed" };
  const listings: unknown[] = [];
  const storage = {
    stand: () => undefined,
    actors: { birthsOf: () => [], snap: () => undefined },
    log: { before: () => [{ run: "mine", seq: 1 }], rows: () => [] },
    runs: {
      find: () => ({ ...row, begun: { seq: 1, at: 5 }, ended: 2 }),
      latest: ({ phases }: { phases: string[] }) => {
        listings.push(phases);
        return [];
      },
    },
    sessions: { find: () => ({ session: "session/mine", owner: null }), within: () => [{ session: "session/mine" }] },
  };
  const reads = runReads({ storage, owner: { isAlive: () => false } } as unknown as RunReader);
  const within = { type: "above", folder: "/mine" } as const;
  const found: string[] = [];
  const query = { principal: null, until: 100, workflow: null, stands: null, within };
  for await (const { run } of reads.latest(query)) found.push(run);
  expect(found).toEqual(["mine"]);
  expect(listings).toEqual([["open"]]);
});
