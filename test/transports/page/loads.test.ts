/** Covers `loads.ts`: I1 for schedules, which are of the directory that the address names; I2. */
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
  await vi.waitFor(() => expect(asked.has(path)).toBe(true));
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

test("of a run that is not listed any more nothing is kept (I2)", async () => {
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
