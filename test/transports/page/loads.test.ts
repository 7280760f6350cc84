/**
 * Covers `loads.ts`: I1 for schedules, what is shown is of the directory that the address names; I2 for the list of runs;
 * I3.
 */
import { beforeEach, expect, test, vi } from "vitest";
import { browserPart } from "../../support/browser-part.ts";

const { loadRuns, loadWorkflows } = await browserPart("loads");
const { state } = await browserPart("state");
/** The requests that wait for their answers, by path. */
let asked: Map<string, (body: object) => void>;
beforeEach(() => {
  asked = new Map();
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  vi.stubGlobal("requestAnimationFrame", () => 0);
  vi.stubGlobal("fetch", (path: string) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    asked.set(path, (body) => resolve(Response.json(body)));
    return promise;
  });
});

/** Goes to a directory, whose workflows are there at once; its schedules are not yet. */
async function goTo(cwd: string): Promise<(workflow: string) => Promise<void>> {
  state.place = { view: "workflows", cwd };
  const loaded = loadWorkflows(cwd);
  asked.get(`/api/workflows?cwd=${cwd}`)?.({ workflows: [], warnings: [] });
  const path = `/api/schedules?cwd=${cwd}`;
  await vi.waitFor(() => expect(asked.has(path)).toBe(true), { timeout: 60_000 });
  return async (workflow) => {
    asked.get(path)?.({ served: true, schedules: [{ workflow, isHere: true }] });
    await loaded;
  };
}

test("schedules that come late are not shown in another directory (I1)", async () => {
  const first = await goTo("a");
  const second = await goTo("b");
  await second("of b");
  await first("of a");
  expect(state.schedules.here.map(({ workflow }: { workflow: string }) => workflow)).toEqual(["of b"]);
});

test("of a run that is not listed any more nothing is kept (I3)", async () => {
  let latest = ["a", "b"];
  vi.stubGlobal("fetch", async (path: string) =>
    path.endsWith("/steps")
      ? Response.json({ steps: [], current: [] })
      : Response.json({ runs: path.includes("open=true") ? [] : latest.map((id) => ({ id, status: "completed" })) }),
  );
  await loadRuns();
  expect([...state.trees.keys()]).toEqual(["a", "b"]);
  latest = ["b", "c"];
  await loadRuns();
  expect([...state.trees.keys()]).toEqual(["b", "c"]);
});

test("of a list that is read twice at once, what was asked for last stands; of a run that has ended, its end (I2)", async () => {
  const waiting: { path: string; answer: (body: object) => void }[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    waiting.push({ path, answer: (body) => resolve(Response.json(body)) });
    return promise;
  });
  /** The n-th request that waits for this path. */
  const at = async (n: number, path: string): Promise<(body: object) => void> => {
    const found = () => waiting.filter((one) => one.path.startsWith(path))[n];
    await vi.waitFor(() => expect(found()).toBeDefined(), { timeout: 60_000 });
    return found()?.answer ?? (() => undefined);
  };
  const [OPEN, LATEST, STEPS] = ["/api/runs?open", "/api/runs?limit", "/api/runs/r/steps"];
  const listed = (status: string) => ({ runs: [{ id: "r", status, workflow: "w", startedAt: 1 }] });
  const tree = (name: string) => ({ steps: [{ name }], current: [], usage: {} });
  state.place = { view: "runs", search: "" };

  const [first, , third] = [loadRuns(), loadRuns(), loadRuns()];
  for (const n of [0, 1, 2]) (await at(n, OPEN))({ runs: [] });
  (await at(0, LATEST))(listed("running"));
  (await at(2, LATEST))(listed("completed"));
  (await at(1, STEPS))(tree("at its end"));
  await third;
  (await at(1, LATEST))(listed("running"));
  (await at(0, STEPS))(tree("as it was"));
  await first;
  await new Promise(setImmediate); // what came of the second is shown by now, if it is
  expect(state.runs.map(({ status }: { status: string }) => status)).toEqual(["completed"]);
  expect(state.trees.get("r").steps).toEqual([{ name: "at its end" }]);
});
