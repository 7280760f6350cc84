/** Secrets that an agent step names in its options: variables, headers, and keys. They are masked before the agent begins. */
import type { WorkInput } from "../../machines/contracts.ts";
import { own } from "../../machines/model.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";
import type { Agent, AgentRequest } from "../agents/agent.ts";
import { isFields } from "../base/json.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { learnValues } from "../masking/given.ts";
import type { EffectOptions } from "./options.ts";

type AgentWork = WorkInput & { node: AgentNode };

/** Options whose values are learned by their names. */
const NAMED = ["env", "headers"];

/** Variables, headers, and keys: a key does not belong in a file, it comes from a template. They are masked from here on. */
export function learnSecrets(
  agent: Agent,
  { node, origin }: AgentWork,
  request: Pick<AgentRequest, "options">,
  { mask }: EffectOptions,
) {
  for (const name of NAMED) {
    const values = own(request.options, name);
    if (mask !== undefined && isFields(values)) learnValues(mask, `agent/${origin.run}/${origin.step}/${name}`, values);
  }
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
