import { expect, it } from "vitest";
import { chosenOptions, modelId, modelsWith } from "../../../actors/agents/choices.ts";
import { agentPool, agentRegistry } from "../../../actors/agents/registry.ts";
import { parseConfig } from "../../../actors/config/config.ts";
import type { Config } from "../../../actors/config/settings.ts";
import { PROVIDERS } from "../../../machines/workflow/providers.ts";

const chosen = { model: modelId("claude", "opus"), effort: "high" };
const both = { takes: { model: "model", effort: "effort" } };

it("gives a model to the provider that it belongs to (I1)", () => {
  expect(chosenOptions(both, "claude", chosen)).toEqual({ model: "opus", effort: "high" });
  expect(chosenOptions(both, "claudette", chosen)).toEqual({ effort: "high" });
});

it("gives an agent what it takes, under its own name for it (I2)", () => {
  expect(chosenOptions({ takes: { effort: "variant" } }, "claude", chosen)).toEqual({ variant: "high" });
  expect(chosenOptions({}, "claude", chosen)).toEqual({});
  expect(chosenOptions({ takes: { model: "model" } }, "claude", undefined)).toEqual({});
});

it("offers the user's models beside those that always exist, each once", () => {
  const models = modelsWith({ claude: ["opus", "claude-old"], mine: ["a"] });
  expect(models["claude"]).toEqual(["opus", "sonnet", "haiku", "claude-old"]);
  expect(models["mine"]).toEqual(["a"]);
  expect(Object.keys(modelsWith({}))).toEqual(["claude", "gemini"]);
});

it("every provider takes a model, so that none is offered without effect", async () => {
  const { config } = parseConfig("", "/c/config.yaml", {});
  const clock = { elapsed: () => 0, sleep: async () => undefined };
  const agents = agentRegistry({ clock, config: () => config as Config, pool: agentPool() });
  const takes = await Promise.all(PROVIDERS.map(async (name) => [name, (await agents[name]?.())?.takes]));
  expect(Object.fromEntries(takes)).toEqual({
    acp: { model: "model", effort: "thought_level" },
    claude: { model: "model", effort: "effort" },
    codex: { model: "model", effort: "effort" },
    gemini: { model: "model" },
    github_copilot: { model: "model", effort: "effort" },
    mistral_vibe: { model: "model" },
    openai_compatible: { model: "model", effort: "reasoning_effort" },
    opencode: { model: "model", effort: "variant" },
    understudy: { model: "model", effort: "effort" },
  });
});
