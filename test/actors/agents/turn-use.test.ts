import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AgentMemory } from "../../../actors/agents/agent.ts";
import { turnUse } from "../../../actors/agents/turn-use.ts";
import { conversationTable } from "../../../actors/host/sqlite/conversations.ts";
import { Masking } from "../../../actors/masking/masking.ts";
import { openMemory } from "../../../actors/memory/memory.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-use-"));
});
afterEach(() => rmSync(folder, { recursive: true }));
/** Opened anew each time, as another process would. */
const memory = (): AgentMemory =>
  openMemory(conversationTable(join(folder, "conversations.db")), new Masking()).of("session/s");
const told = (inputTokens: number, outputTokens: number) => ({
  ...{ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
});

it("is what came since the turn before, in each process (I1)", () => {
  expect(turnUse("a", told(1000, 50), memory())).toEqual(told(1000, 50));
  expect(turnUse("a", told(1300, 70), memory())).toEqual(told(300, 20));
  expect(turnUse("a", told(1301, 70), memory())).toEqual(told(1, 0));
  expect(turnUse("b", told(5, 5), memory())).toEqual(told(5, 5));
});

it("keeps what else is told, and tells nothing where nothing is told", () => {
  turnUse("a", told(10, 1), memory());
  const cost = { amount: 1, currency: "USD" };
  expect(turnUse("a", { ...told(12, 2), cost }, memory())).toEqual({ ...told(2, 1), cost });
  expect(turnUse("a", null, memory())).toBeNull();
  expect(turnUse(null, told(3, 3), memory())).toEqual(told(3, 3));
});

it("takes a program at its word that counts anew (I2)", () => {
  turnUse("a", told(1000, 50), memory());
  expect(turnUse("a", told(20, 2), memory())).toEqual(told(20, 2));
  expect(turnUse("a", told(30, 3), memory())).toEqual(told(10, 1));
});
