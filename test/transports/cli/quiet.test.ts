import { expect, it } from "vitest";
import { hushSqlite } from "../../../transports/cli/quiet.ts";

it("hushes the warning about SQLite and no other", () => {
  const shown: unknown[][] = [];
  const emitter = { emitWarning: (...warning: unknown[]) => void shown.push(warning) };
  hushSqlite(emitter);
  emitter.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning");
  emitter.emitWarning("Other is deprecated", "DeprecationWarning", "DEP1");
  emitter.emitWarning(new Error("x"));
  expect(shown).toEqual([["Other is deprecated", "DeprecationWarning", "DEP1"], [new Error("x")]]);
});
