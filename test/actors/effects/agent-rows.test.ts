/** Covers AgentRows I2 and I4. */
import { expect, test } from "vitest";
import { AgentRows } from "../../../actors/effects/agent-rows.ts";
import type { WorkContext } from "../../../actors/host/host.ts";
import { Masking } from "../../../actors/masking/masking.ts";
import type { Row } from "../../../machines/exchange.ts";
import { recordingContext } from "../../support/recording-context.ts";

const ORIGIN = { run: "r", step: "s", session: "x", parallel: false, depth: 0 };

test("a conversation's id whose note was not written is noted again with the next word, and then no more (I4)", async () => {
  const told: unknown[] = [];
  const writes = [false, false, true];
  const said: string[] = [];
  const context: WorkContext = {
    key: "step/s",
    session: "session/x",
    attempt: "step/s:1",
    signal: new AbortController().signal,
    text: () => ({ say: (text) => void said.push(text), end: () => undefined }),
    record: () => undefined,
    tell: async (event) => {
      told.push(event);
      if (writes.shift() === false) throw new Error("no space left on device");
    },
    listen: () => undefined,
    ask: async () => ({ outcome: "cancelled" }),
  };
  const rows = new AgentRows(context, ORIGIN, 1, null);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const noted = { type: "work.noted", conversation: "c" };
  rows.take({ type: "conversation", id: "c" });
  await settled();
  for (const text of ["one", "two", "three"]) {
    rows.take({ type: "text", text });
    await settled();
  }
  expect(told).toEqual([noted, noted, noted]);
  expect([rows.conversation, said]).toEqual(["c", ["one", "two", "three"]]);
});

test("what comes of a call after its end has its title and how it ended (I2)", () => {
  const written: Row[] = [];
  const context: WorkContext = {
    key: "step/s",
    session: "session/x",
    attempt: "step/s:1",
    signal: new AbortController().signal,
    text: () => ({ say: () => undefined, end: () => undefined }),
    record: (row) => void written.push(row),
    tell: async () => undefined,
    listen: () => undefined,
    ask: async () => ({ outcome: "cancelled" }),
  };
  const rows = new AgentRows(context, ORIGIN, 1, null);
  const content = [{ type: "text", text: "late" }] as const;
  rows.take({ type: "tool", tool: { call: "q", title: "Look", kind: "read", status: "in_progress" } });
  rows.take({ type: "tool", tool: { call: "q", status: "completed" } });
  rows.take({ type: "tool", tool: { call: "q", content: [...content] } });
  rows.take({ type: "tool", tool: { call: "q", title: "Looked", status: "in_progress" } });
  rows.take({ type: "tool", tool: { call: "q", status: "failed" } });
  rows.close(null, { status: "completed" });
  const place = { run: "r", step: "s" };
  const of = (type: string, payload: object) => ({ type, ...place, payload: { call: "s@1.q", ...payload } });
  expect(written).toEqual([
    of("tool.call", { title: "Look", kind: "read", status: "in_progress" }),
    of("tool.result", { status: "completed" }),
    of("tool.update", { title: "Look", kind: "read", content, status: "completed" }),
    of("tool.update", { title: "Looked", kind: "read", status: "completed" }),
    of("tool.update", { title: "Looked", kind: "read", status: "failed" }),
  ]);
});

test("a call without a title has its id as that, as far as a card has room for it", () => {
  const { context, rows } = recordingContext();
  new AgentRows(context, ORIGIN, 1, null).take({ type: "tool", tool: { call: "i".repeat(9_000), kind: "read" } });
  expect(rows).toMatchObject([{ type: "tool.call", payload: { title: `${"i".repeat(300)}…` } }]);
});

test("an id that holds a secret, or is too long, is not written; the call keeps the one that it has then (I6)", () => {
  const recording = recordingContext();
  const mask = new Masking([["TOKEN", "s3cr3t-t0k3n"]]);
  const rows = new AgentRows(recording.context, ORIGIN, 1, null, undefined, mask);
  const ids = ["call-s3cr3t-t0k3n", "i".repeat(2_000), "#1", "fine"];
  for (const call of ids) rows.take({ type: "tool", tool: { call, title: "Look", status: "in_progress" } });
  for (const call of ids) rows.take({ type: "tool output", call, text: "seen" });
  for (const call of ids) rows.take({ type: "tool", tool: { call, status: "completed" } });
  const of = (type: Row["type"]) =>
    recording.rows.flatMap((row) => (row.type === type && "call" in row.payload ? [row.payload.call] : []));
  const named = ["s@1.#1", "s@1.#2", "s@1.#3", "s@1.fine"];
  expect(of("tool.call")).toEqual(named);
  expect(of("tool.update")).toEqual(named);
  expect(of("tool.result")).toEqual(named);
  expect(JSON.stringify(recording.rows)).not.toContain("s3cr3t-t0k3n");
});

test("what a later attempt uses is told with its number", () => {
  const used = (attempt: number): Row[] => {
    const { context, rows: written } = recordingContext();
    const rows = new AgentRows(context, ORIGIN, attempt, null);
    rows.take({ type: "usage", usage: { totalTokens: 3 } });
    return written;
  };
  const row = (payload: object) => ({ type: "usage.recorded", run: "r", step: "s", payload });
  expect([...used(1), ...used(2)]).toEqual([row({ totalTokens: 3 }), row({ totalTokens: 3, attempt: 2 })]);
});
