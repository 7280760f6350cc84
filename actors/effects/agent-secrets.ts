/** Secrets that an agent step names in its options: variables, and keys. They are masked before the agent begins. */
import type { WorkInput } from "../../machines/contracts.ts";
import { own } from "../../machines/model.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";
import type { Agent, AgentRequest } from "../agents/agent.ts";
import { isFields } from "../base/json.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { learnValues } from "../masking/given.ts";
import type { EffectOptions } from "./options.ts";

type AgentWork = WorkInput & { node: AgentNode };

/** Variables, and keys: a key does not belong in a file, it comes from a template. They are masked from here on. */
export function learnSecrets(
  agent: Agent,
  { node, origin }: AgentWork,
  request: Pick<AgentRequest, "options">,
  { mask }: EffectOptions,
) {
  const env = own(request.options, "env");
  if (mask !== undefined && isFields(env)) learnValues(mask, `agent/${origin.run}/${origin.step}/env`, env);
  for (const name of agent.secretOptions ?? []) {
    const value = own(request.options, name);
    if (value === undefined || value === null) continue;
    const written = own(node.options, name);
    if (typeof written !== "string" || !written.includes("{{")) {
      const message = `options.${name}: expected a template such as {{.env.MY_KEY}}; a secret does not belong in a file`;
      throw new TroupeError("USER.AGENT.INVALID_OPTION", message, { option: name });
    }
    mask?.learn(`agent/${origin.run}/${origin.step}/${name}`, value);
  }
}
