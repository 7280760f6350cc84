import { expect, test } from "vitest";
import type { Input } from "../../../machines/workflow/document.ts";
import { availableCommands } from "../../../projections/acp/commands.ts";
import { faultOf } from "../../support/acp-schema.ts";

const input = (name: string, rest: Partial<Input> = {}): Input => ({
  name,
  type: "string",
  required: false,
  validation: {},
  ...rest,
});
const hint = (...inputs: Input[]): string | undefined => {
  const [command] = availableCommands([{ id: "w", description: "", inputs, fault: null }]);
  return command?.input?.hint;
};

test("names, descriptions and faults", () => {
  const fault = { code: "WORKFLOW.PARSE.YAML_SYNTAX", message: "line 3: a colon is missing" };
  const commands = availableCommands([
    { id: "fix", description: "Fixes it", inputs: [], fault: null },
    { id: "pack/fix", description: "", inputs: [], fault: null },
    { id: "bad", description: "Bad", inputs: [], fault },
  ]);
  expect(commands).toEqual([
    { name: "fix", description: "Fixes it" },
    { name: "pack:fix", description: "pack/fix" },
    { name: "bad", description: "Cannot be run: line 3: a colon is missing" },
    expect.objectContaining({ name: "rerun" }),
  ]);
  expect(faultOf("AvailableCommandsUpdate", { availableCommands: commands })).toBeNull();
});

test("hints", () => {
  expect(hint()).toBeUndefined();
  expect(hint(input("task", { required: true }))).toBe("task");
  expect(
    hint(input("task", { required: true, description: "what to do" }), input("n", { type: "integer", default: 3 })),
  ).toBe("what to do [n=3]");
  expect(hint(input("a", { required: true }), input("b", { required: true, type: "boolean" }), input("c"))).toBe(
    "a=<string> b=<boolean> [c=<string>]",
  );
});

test("ours is listed behind them, unless a workflow has its name, or there is none (I1)", () => {
  const named = (...ids: string[]): string[] =>
    availableCommands(ids.map((id) => ({ id, description: "", inputs: [], fault: null }))).map(({ name }) => name);
  expect(named("fix")).toEqual(["fix", "rerun"]);
  expect(named("rerun", "fix")).toEqual(["rerun", "fix"]);
  expect(named()).toEqual([]);
});
