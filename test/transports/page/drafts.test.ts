/** Covers `drafts.ts`: for which question what was typed is sent. */
import { beforeEach, expect, test, vi } from "vitest";
import { browserPart } from "../../support/browser-part.ts";

const { draftOf, keepDraft, send } = await browserPart("drafts");
const { state } = await browserPart("state");

const at = (input: string) => ({ run: "r", step: "chat", input });
let run: { id: string; drafts: Map<string, object> };
/** The questions that answers were sent for, and what the server says of the next ones. */
let sent: unknown[];
let says: (() => Promise<Response>)[];
const yes = async () => Response.json({});
const away = () => Promise.reject(new TypeError("fetch failed"));
const answered = async () => Response.json({ code: "USER.FACADE.DUPLICATE_RESPONSE", detail: "no" }, { status: 409 });
beforeEach(() => {
  run = { id: "r", drafts: new Map() };
  [sent, says] = [[], []];
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("requestAnimationFrame", () => 0);
  vi.stubGlobal("fetch", async (path: string, { body = "{}" }: { body?: string } = {}) => {
    if (path === "/") return new Response("");
    sent.push(JSON.parse(body).question);
    return await (says.shift() ?? yes)();
  });
});
const types = (input: string, value: string): void =>
  keepDraft(run, at(input))({ target: { name: "text", value, validity: { badInput: false } } });
async function sends(input: string, server: () => Promise<Response>, taken = () => {}): Promise<void> {
  says = [server];
  send(run, at(input), { text: "typed" }, taken);
  await vi.waitFor(() => expect(state.isBusy).toBe(false), { timeout: 60_000 });
}

test("what is refused is for the question that stands there when it is sent again (I2)", async () => {
  types("a", "typed");
  await sends("b", answered);
  await sends("b", yes);
  expect(sent).toEqual(["a", "b"]);
  expect(draftOf(run, at("b"))).toEqual({});
});

test("what did not reach the server is still for the question for which it was typed (I2)", async () => {
  types("a", "typed");
  await sends("a", away);
  await sends("b", async () => Response.json({ detail: "a token" }, { status: 429 }));
  await sends("b", yes);
  expect(sent).toEqual(["a", "a", "a"]);
});

test("what is typed while an answer is on its way stays (I1)", async () => {
  types("a", "typed");
  let isTaken = false;
  const slow = async (): Promise<Response> => {
    types("b", "more");
    return await yes();
  };
  await sends("a", slow, () => {
    isTaken = true;
  });
  expect([draftOf(run, at("b")), isTaken]).toEqual([{ text: "more" }, false]);
});
