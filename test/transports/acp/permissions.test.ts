import { setImmediate as tick } from "node:timers/promises";
import type { AgentContext } from "@agentclientprotocol/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PermissionView } from "../../../projections/acp/view.ts";
import { askOf } from "../../../transports/acp/permissions.ts";

const QUESTION: PermissionView = {
  permission: "p",
  title: "Run it?",
  kind: "execute",
  message: "m",
  options: [{ id: "allow", name: "Run it", kind: "allow_once" }],
  card: "permission/p",
};
const selected = (optionId: unknown) => ({ outcome: { outcome: "selected", optionId } });
const DISMISSED = { outcome: { outcome: "cancelled" } };

let decided: (string | null)[];
let fault: Error | null;
let stop: AbortController;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  decided = [];
  fault = null;
  stop = new AbortController();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Asks a client that says this, and lets all happen that needs no time. */
async function ask(says: () => Promise<unknown>): Promise<void> {
  const client = { request: says } as unknown as AgentContext;
  const decide = async (_: string, option: string | null): Promise<void> => {
    decided.push(option);
    if (fault !== null) throw fault;
  };
  askOf(client, "s", { decide }, { permissionTimeoutMs: null })(QUESTION, stop.signal);
  await tick();
}

test.each([
  ["an option", selected("allow"), "allow"],
  ["an option of its own", selected("none of them"), null],
  ["no option", selected(7), null],
  ["nothing", null, null],
])("a client that answers with %s", async (_, answer, option) => {
  await ask(async () => answer);
  expect(decided).toEqual([option]);
});

test("a client that fails decides nothing", async () => {
  await ask(() => Promise.reject(new Error("no such method")));
  expect(decided).toEqual([null]);
});

test("a decision that is refused is followed by no other one (I1)", async () => {
  fault = new Error("not open");
  await ask(async () => selected("allow"));
  expect(decided).toEqual(["allow"]);
});

test("a dismissal is decided a moment later, where the question is open then (I2)", async () => {
  await ask(async () => DISMISSED);
  expect(decided).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  await tick();
  expect(decided).toEqual([null]);

  await ask(async () => DISMISSED);
  stop.abort();
  await vi.advanceTimersByTimeAsync(100);
  await tick();
  expect(decided).toEqual([null]);
});

test("what is answered after the signal is not decided (I2)", async () => {
  const answer = Promise.withResolvers<unknown>();
  await ask(() => answer.promise);
  stop.abort();
  answer.resolve(selected("allow"));
  await tick();
  expect(decided).toEqual([]);
});
