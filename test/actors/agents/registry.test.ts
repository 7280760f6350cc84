/** Covers I1 and I2 of `registry.ts`. */
import { expect, test, vi } from "vitest";
import { agentPool, agentRegistry } from "../../../actors/agents/registry.ts";
import { systemClock } from "../../../actors/base/clock.ts";

const UNDERSTUDY = "../../../actors/agents/understudy/understudy.ts";

test("an agent that could not be loaded, as where no file can be opened, is loaded by the next step, once", async () => {
  const agents = agentRegistry({ clock: systemClock, config: () => ({}) as never, pool: agentPool() });
  const load = () => agents["understudy"]!();
  vi.doMock(UNDERSTUDY, () => {
    throw new Error("too many open files");
  });
  await expect(load()).rejects.toThrow();
  vi.doUnmock(UNDERSTUDY);
  const agent = await load();
  expect(agent).toBeDefined();
  expect(await load()).toBe(agent);
});
