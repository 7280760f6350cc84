/** Covers `announce.ts`: tools that cannot be listed end nothing, and are announced once they can be. */
import { expect, test, vi } from "vitest";
import { announce } from "../../../transports/mcp/announce.ts";
import type { McpServed } from "../../../transports/mcp/served.ts";

test("a first list that fails is nobody's fault but the next request's", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const isTrusted = (): Promise<boolean> => Promise.reject(new Error("busy"));
  const watched = { isTrusted, watch: () => () => undefined };
  const served = { troupe: watched, cwd: "/w", environment: {}, settings: {} } as unknown as McpServed;
  const stop = announce(served, () => undefined);
  await new Promise(setImmediate); // rejections that nobody took are told by then
  stop();
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
