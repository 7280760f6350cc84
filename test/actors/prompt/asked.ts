/** A prompt in a house of workflows, and what it comes to. */
import { expect } from "vitest";
import type { Consent } from "../../../actors/api/records.ts";
import { interpretPrompt, type PromptHost } from "../../../actors/prompt/interpret.ts";
import type { Intent } from "../../../machines/contracts.ts";
import type { Block } from "../../../machines/exchange.ts";
import { type House, house, workflow } from "../catalogue/support.ts";

const REVIEW = `name: Review
description: Reviews a file
env: [STAGE]
inputs:
  - {name: file, required: true, description: what to read, validation: {file_extension: [.ts]}}
  - {name: n, type: integer, default: 3, validation: {min: 1, max: 9}}
states:
  initial: a
  a:
    type: step
    command: echo {{.inputs.file}} {{.inputs.n}}
    transitions:
      - {when: "env.CI == '1' and env.TROUPE_TOKEN == ''", goto: done}
      - {goto: done}
  done: {type: terminal}
`;
const BROKEN =
  "name: broken\nstates:\n  initial: a\n  a: {type: step, command: x, on_success: b}\n  c: {type: terminal}\n";

/** A house with workflows of every kind that prompts are about. */
export function prepared(): House {
  const one = house();
  one.write("work/.troupe/workflows/review.yaml", REVIEW);
  one.write("work/.troupe/workflows/echo.yaml", workflow("echo", "inputs: [{name: text, required: true}]\n"));
  one.write("work/.troupe/workflows/broken.yaml", BROKEN);
  one.write("work/.awf/workflows/loose.yaml", workflow("loose"));
  return one;
}

export const host: PromptHost = {
  user: "ann",
  hostname: "box",
  named: async () => [],
  environment: { STAGE: "test", CI: "1", TROUPE_TOKEN: "secret", OTHER: "x" },
};

type Options = { consent?: Consent; trusted?: boolean; defaultWorkflow?: string; host?: PromptHost };
/** What a prompt comes to in it. */
export async function ask({ catalogue, cwd }: House, prompt: string | Block[], options: Options = {}) {
  const blocks: Block[] = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
  const { consent = "ask", trusted = false, defaultWorkflow } = options;
  const request = { blocks, consent, ...(defaultWorkflow === undefined ? {} : { defaultWorkflow }) };
  return interpretPrompt(
    catalogue,
    request,
    { cwd, trusts: () => trusted, isKept: () => false, mayTrust: () => true },
    options.host ?? host,
  );
}

/** The explanation that a prompt must get, apart from the stop reason that all have. */
export async function explained(
  one: House,
  prompt: string | Block[],
  options: Options = {},
): Promise<{ code: string; text: string }> {
  const asked = await ask(one, prompt, options);
  const answer: Intent =
    asked.type === "text" ? asked.otherwise : asked.type === "unreadable" ? asked.explanation : asked;
  if (answer.type !== "explain") throw new Error(`it asks for ${answer.type}`);
  expect(answer.stopReason).toBe("refusal");
  return { code: answer.fault.code, text: answer.text };
}
