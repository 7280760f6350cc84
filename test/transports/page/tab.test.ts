/** Covers `tab.ts`: what a page that is hidden asks, and what becomes of a late answer. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { browserPart } from "../../support/browser-part.ts";

const { glancing } = await browserPart("tab");
const { state } = await browserPart("state");
const line = (id: string, status: string) => ({ id, status, workflow: "w" });
/** The requests that wait for their answers. */
let asked: { path: string; answer: (body: object) => void }[];
let page: { visibilityState: string; title: string };
let ending: AbortController;
beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  page = { visibilityState: "hidden", title: "" };
  ending = new AbortController();
  vi.stubGlobal("document", page);
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  vi.stubGlobal("fetch", (path: string) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    asked.push({ path, answer: (body) => resolve(Response.json(body)) });
    return promise;
  });
  glancing(ending.signal);
});
afterEach(() => {
  ending.abort();
  vi.useRealTimers();
});
const after = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

test("an answer that comes when the list was read anew takes nothing away from it", async () => {
  state.place = { view: "runs", search: "" };
  state.runs = [line("a", "running"), line("b", "completed")];
  await after(10);
  const read = [line("a", "failed"), line("b", "completed")];
  page.visibilityState = "visible";
  state.runs = read; // as the list does, which is looked at again
  asked[0]?.answer({ runs: [] });
  await after(1);
  expect(state.runs).toBe(read);
});

test("nor does one of a run whose record was read anew", async () => {
  const open = { id: "a", record: line("a", "running") };
  state.place = { view: "run", run: "a", step: null, seq: null, line: null };
  state.open = open;
  await after(10);
  const read = line("a", "completed");
  open.record = read;
  asked[0]?.answer(line("a", "running"));
  await after(1);
  expect(open.record).toBe(read);
});

test("a hidden page has one request on its way, and shows what it says in the title (I1)", async () => {
  state.place = { view: "runs", search: "" };
  state.runs = [line("a", "running"), line("b", "completed")];
  await after(60);
  expect(asked.map(({ path }) => path)).toEqual(["/api/runs?open=true&limit=1000"]);
  asked[0]?.answer({ runs: [line("a", "waiting")] });
  await after(1);
  expect(page.title).toBe("(1) Troupe");
  await after(10);
  expect(asked).toHaveLength(2);
});
