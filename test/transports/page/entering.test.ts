/** Covers `entering.ts` without a browser: how a page comes in. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { browserPart } from "../../support/browser-part.ts";

const { comeIn } = await browserPart("entering");
const { state } = await browserPart("state");
let asked: string[];
let answers: (() => Response)[];
beforeEach(() => {
  vi.useFakeTimers();
  [asked, answers] = [[], []];
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("requestAnimationFrame", () => 0);
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("fetch", async (path: string) => {
    if (path === "/") return new Response("");
    asked.push(path);
    return (answers.shift() ?? away)();
  });
});
afterEach(() => vi.useRealTimers());

const away = (): Response => {
  throw new TypeError("Failed to fetch");
};
const letIn = () => Response.json({ secret: "s" });
const refused = () => Response.json({ code: "X", detail: "no" }, { status: 401 });

test("a server that does not answer is asked again until it does, and no door is shown (I3)", async () => {
  answers = [away, away, letIn];
  let is: boolean | null = null;
  const coming = comeIn("ticket").then((found: boolean) => {
    is = found;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect([is, state.note]).toEqual([null, "The server does not answer. The page goes on when it is back."]);
  await vi.advanceTimersByTimeAsync(10_000);
  await coming;
  expect([is, state.note, asked]).toEqual([true, null, Array(3).fill("/page/session")]);
});

test("a proxy that answers for a server that is away is no answer: no door, and its words are not shown (I1)", async () => {
  const gone = () =>
    new Response("<html>502 Bad Gateway</html>", { status: 502, headers: { "content-type": "text/html" } });
  answers = [gone, gone, letIn];
  const coming = comeIn("ticket");
  await vi.advanceTimersByTimeAsync(0);
  expect(state.note).toBe("The server does not answer. The page goes on when it is back.");
  await vi.advanceTimersByTimeAsync(10_000);
  expect([await coming, state.note, asked]).toEqual([true, null, Array(3).fill("/page/session")]);
});

test("one that refuses is not asked again: its door is shown", async () => {
  answers = [refused, refused, refused];
  expect(await comeIn(undefined)).toBe(false);
  expect(asked).toEqual(["/page/session", "/api/runs?limit=1", "/page/session"]);
});

test("who comes with a ticket that was used, or is too old, is told so at the door", async () => {
  answers = [refused, refused, refused];
  expect(await comeIn("ticket")).toBe(false);
  expect(state.note).toBe("The ticket of this address does not count any more: it counts once, for a minute.");
  state.note = null;
  answers = [refused, () => Response.json({ runs: [] })];
  expect([await comeIn("ticket"), state.note]).toEqual([true, null]);
});

test("one that lets no page in by this address says why, whatever token is given", async () => {
  const { signIn } = await browserPart("calls");
  answers = [() => Response.json({ code: "USER.SERVE.ORIGIN_REFUSED", detail: "no page of ours" }, { status: 403 })];
  await expect(signIn({ token: "t" })).rejects.toThrow("no page of ours");
});
