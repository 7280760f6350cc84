/** Covers `going.ts` without a browser. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { browserPart } from "../../support/browser-part.ts";

const { arrive } = await browserPart("going");
const { state } = await browserPart("state");
let asked: string[];
let answer: () => Response;
beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  state.listed = null;
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  vi.stubGlobal("requestAnimationFrame", () => 0);
  vi.stubGlobal("location", { hash: "#/workflows" });
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return answer();
  });
});
afterEach(() => vi.useRealTimers());

const problem = (status: number, detail: string) => () => Response.json({ code: "X", detail }, { status });
const listed = () => Response.json({ workflows: [{ id: "a" }], warnings: [], served: false, schedules: [] });

test.each([503, 429])("what the server could not give (%i) is asked for again while one stays (I1)", async (status) => {
  answer = problem(status, "not now");
  arrive();
  await vi.advanceTimersByTimeAsync(0);
  expect([state.note, state.listed]).toEqual(["not now", null]);
  answer = listed;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([state.note, state.listed]).toEqual([null, [{ id: "a" }]]);
});

test("what it refuses is not asked for again, nor is a place that was left (I1)", async () => {
  answer = problem(404, "no such folder");
  arrive();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([state.note, asked]).toEqual(["no such folder", ["/api/workflows"]]);
  answer = problem(503, "not now");
  arrive();
  await vi.advanceTimersByTimeAsync(0);
  vi.stubGlobal("location", { hash: "#/workflows?cwd=/b" });
  answer = listed;
  arrive();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.filter((path) => path === "/api/workflows")).toHaveLength(2);
});
