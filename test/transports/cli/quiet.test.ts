import { expect, it, vi } from "vitest";
import { consoleTo, hushNode } from "../../../transports/cli/quiet.ts";

it("hushes the warnings about what we build on and no other", () => {
  const shown: unknown[][] = [];
  const emitter = { emitWarning: (...warning: unknown[]) => void shown.push(warning) };
  hushNode(emitter);
  emitter.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning");
  emitter.emitWarning("vm.USE_MAIN_CONTEXT_DEFAULT_LOADER is an experimental feature and might change at any time");
  emitter.emitWarning("Other is deprecated", "DeprecationWarning", "DEP1");
  emitter.emitWarning(new Error("x"));
  expect(shown).toEqual([["Other is deprecated", "DeprecationWarning", "DEP1"], [new Error("x")]]);
});

it("makes the console of libraries lines of the log, without the values in them, until it is given back", () => {
  const lines: string[] = [];
  const own = vi.fn();
  const target = { debug: own, info: own, log: own, warn: own, error: own };
  const restore = consoleTo((line) => void lines.push(line), target);
  target.info("The user aborted a request.");
  target.error(Object.assign(new Error("token sk-secret"), { code: "ECONNRESET" }));
  target.warn("Closing:", "sk-secret");
  target.log({ token: "sk-secret" });
  expect(lines).toEqual([
    "a library says: The user aborted a request.",
    "a library says: Error ECONNRESET",
    "a library says: Closing:",
    "a library says: something of type object",
  ]);
  restore();
  target.error("x");
  expect([own.mock.calls, lines.length]).toEqual([[["x"]], 4]);
});
