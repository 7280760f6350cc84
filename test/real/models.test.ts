/**
 * A model and a thought level that a session has chosen reach the model of each real agent.
 *
 * M1. The model server's log shows each request's model and effort: the name and the thought level that were chosen.
 * M2. An agent that does not take one of the two does not get it, and works.
 */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Agent } from "../../actors/agents/agent.ts";
import { chosenOptions, modelId } from "../../actors/agents/choices.ts";
import type { Json } from "../../machines/model.ts";
import type { ModelRequest } from "../support/model-server/model-server.ts";
import { Place } from "./place.ts";
import type { Subject } from "./subject.ts";
import { ACP_SUBJECTS, acpAgent } from "./subjects/acp.ts";
import { CLAUDE } from "./subjects/claude.ts";
import { CODEX, prepareCodex } from "./subjects/codex.ts";
import { GEMINI } from "./subjects/gemini.ts";
import { GITHUB_COPILOT } from "./subjects/github-copilot.ts";
import { MISTRAL_VIBE } from "./subjects/mistral-vibe.ts";
import { OPENAI_COMPATIBLE } from "./subjects/openai-compatible.ts";
import { OPENCODE } from "./subjects/opencode.ts";

type Case = { subject: Subject; model: string; asked: string; effort: string | null };
const CASES: readonly Case[] = [
  { subject: CLAUDE, model: "claude-opus-4-8", asked: "claude-opus-4-8", effort: "high" },
  { subject: CODEX, model: "gpt-5.5", asked: "gpt-5.5", effort: "high" },
  { subject: GEMINI, model: "gemini-2.5-pro", asked: "gemini-2.5-pro", effort: null },
  { subject: GITHUB_COPILOT, model: "gpt-5.5", asked: "gpt-5.5", effort: "high" },
  { subject: OPENCODE, model: "stub/other-model", asked: "other-model", effort: "high" },
  { subject: MISTRAL_VIBE, model: "other", asked: "other-model", effort: null },
  { subject: OPENAI_COMPATIBLE, model: "other-model", asked: "other-model", effort: "high" },
];
const noVibe = inject("noVibe");

type Body = {
  model?: string;
  reasoning_effort?: string;
  reasoning?: { effort?: string };
  output_config?: { effort?: string };
};
/** The model and the effort of a request, in whichever form its API has them. */
function askedOf({ path, body }: ModelRequest): { model: string | undefined; effort: string | null } {
  const { model, reasoning_effort, reasoning, output_config } = body as Body;
  return {
    model: /\/models\/([^:]+):/.exec(path)?.[1] ?? model,
    effort: reasoning_effort ?? reasoning?.effort ?? output_config?.effort ?? null,
  };
}

/** `own`: options of the subject; the model is chosen. */
async function asked(place: Place, agent: Agent, name: string, model: string, own: { readonly [name: string]: Json }) {
  const { model: _, ...others } = own;
  await place.server.reset();
  const chosen = chosenOptions(agent, name, { model: modelId(name, model), effort: "high" });
  const { result, heard } = await place.play(agent, { prompt: "[[say:hi]] Go", options: { ...others, ...chosen } });
  expect(result).toMatchObject({ status: "completed", text: "hi" });
  expect(heard.filter(({ type }) => type === "notice")).toEqual([]);
  return askedOf((await place.server.requests()).at(-1)!);
}

describe.each(CASES)("$subject.name", ({ subject, model, asked: name, effort }) => {
  let place: Place;
  beforeAll(async () => {
    place = await Place.open(subject);
  });
  afterAll(() => place.close());

  it.skipIf(subject === MISTRAL_VIBE && noVibe !== null)(
    "asks the chosen model, with the chosen effort (M1, M2)",
    async () => {
      expect(await asked(place, subject.agent(), subject.name, model, subject.options)).toEqual({
        model: name,
        effort,
      });
    },
  );
});

describe("codex-acp, configured by the user", () => {
  // Nothing but the choice names this model.
  const subject = { ...ACP_SUBJECTS.find(({ name }) => name === "codex-acp")!, prepare: prepareCodex };
  let place: Place;
  beforeAll(async () => {
    place = await Place.open(subject);
  });
  afterAll(() => place.close());

  it("asks the chosen model, with the chosen effort (M1)", async () => {
    const agent = acpAgent(subject.entry, place.root);
    expect(await asked(place, agent, "subject", "gpt-5.5", { agent: "subject" })).toEqual({
      model: "gpt-5.5",
      effort: "high",
    });
  });
});
