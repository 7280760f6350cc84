import { expect, it } from "vitest";
import { chosenOptions, MODELS, modelId } from "../../../actors/agents/choices.ts";
import { claude } from "../../../actors/agents/claude/claude.ts";

const chosen = { model: modelId("claude", "opus"), effort: "high" };

it("gives a model to the provider that it belongs to (I1)", () => {
  expect(chosenOptions({ takes: ["model", "effort"] }, "claude", chosen)).toEqual({ model: "opus", effort: "high" });
  expect(chosenOptions({ takes: ["model", "effort"] }, "claudette", chosen)).toEqual({ effort: "high" });
});

it("gives an agent what it takes (I2)", () => {
  expect(chosenOptions({ takes: ["effort"] }, "claude", chosen)).toEqual({ effort: "high" });
  expect(chosenOptions({}, "claude", chosen)).toEqual({});
  expect(chosenOptions({ takes: ["model"] }, "claude", undefined)).toEqual({});
});

it("offers models of agents that take one", () => {
  expect(Object.keys(MODELS)).toEqual(["claude"]);
  expect(claude().takes).toContain("model");
});
