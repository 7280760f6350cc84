import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AgentMemory } from "../../../actors/agents/agent.ts";
import { turnUse } from "../../../actors/agents/turn-use.ts";
import { Masking } from "../../../actors/masking/masking.ts";
import { openMemory } from "../../../actors/memory/memory.ts";
import { conversationsIn } from "../../support/kept.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-use-"));
});
afterEach(() => rmSync(folder, { recursive: true }));
/** Opened anew each time, as another process would. */
const memory = (): AgentMemory =>
  openMemory(conversationsIn(join(folder, "conversations.db")), new Masking()).of("session/s");
const told = (inputTokens: number, outputTokens: number) => ({
  ...{ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
});

it("is what came since the turn before, in each process (I1)", async () => {
  expect(await turnUse("a", told(1000, 50), memory())).toEqual(told(1000, 50));
  expect(await turnUse("a", told(1300, 70), memory())).toEqual(told(300, 20));
  expect(await turnUse("a", told(1301, 70), memory())).toEqual(told(1, 0));
  expect(await turnUse("b", told(5, 5), memory())).toEqual(told(5, 5));
});

it("keeps what else is reported, and reports nothing where nothing was", async () => {
  await turnUse("a", told(10, 1), memory());
  const cost = { amount: 1, currency: "USD" };
  expect(await turnUse("a", { ...told(12, 2), cost }, memory())).toEqual({ ...told(2, 1), cost });
  expect(await turnUse("a", null, memory())).toBeNull();
  expect(await turnUse(null, told(3, 3), memory())).toEqual(told(3, 3));
});

it("takes a program at its word that counts anew (I2)", async () => {
  await turnUse("a", told(1000, 50), memory());
  expect(await turnUse("a", told(20, 2), memory())).toEqual(told(20, 2));
  expect(await turnUse("a", told(30, 3), memory())).toEqual(told(10, 1));
});
