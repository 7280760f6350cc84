import { expect, it } from "vitest";
import { legacyModels, type Optional, sessionState } from "../../../projections/acp/options.ts";

const ONE = { value: "one", name: "One" };
const TWO = { value: "two", name: "Two", description: "the second" };
const option = (id: string): Optional => ({ id, current: "one", choices: [ONE, TWO] });
const config = (id: string, name: string, category: string) => ({
  id,
  name,
  category,
  type: "select",
  currentValue: "one",
  options: [ONE, TWO],
});

it("every option is listed in its order, with its name and category", () => {
  const ids = ["model", "thought_level", "workflow", "permissions", "speed", "constructor"];
  expect(sessionState(ids.map(option))).toEqual({
    configOptions: [
      config("model", "Model", "model"),
      config("thought_level", "Thought level", "thought_level"),
      config("workflow", "Default workflow", "_troupe_workflow"),
      config("permissions", "Permissions", "_troupe_permissions"),
      config("speed", "speed", "_troupe_speed"),
      config("constructor", "constructor", "_troupe_constructor"),
    ],
  });
});

it("a mode is an option and a mode, in two views of one list (C6)", () => {
  expect(sessionState([option("model"), option("mode")])).toEqual({
    modes: {
      currentModeId: "one",
      availableModes: [
        { id: "one", name: "One" },
        { id: "two", name: "Two", description: "the second" },
      ],
    },
    configOptions: [config("model", "Model", "model"), config("mode", "Mode", "mode")],
  });
});

it("models are also sent in the form of an older protocol, where there is a choice", () => {
  expect(legacyModels([option("mode"), option("model")])).toEqual({
    models: {
      currentModelId: "one",
      availableModels: [
        { modelId: "one", name: "One" },
        { modelId: "two", name: "Two", description: "the second" },
      ],
    },
  });
  expect(legacyModels([option("mode")])).toEqual({});
});
