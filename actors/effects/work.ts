/**
 * The effect `work`: one attempt of a command, an agent or an operation, and what it would do. A new kind is one new file
 * and two cases here.
 *
 * I1. A failure of the work itself is a result; only a bug rejects.
 * I2. After an abort the result is a cancel, whatever the work came to, and it comes when all that was started has gone.
 */
import type { WorkInput, WorkResult } from "../../machines/contracts.ts";
import type { WorkNode } from "../../machines/workflow/document.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { WorkContext } from "../host/host.ts";
import { agentStep } from "./agent.ts";
import { command } from "./command.ts";
import { commandDeed, type Fields, operationDeed } from "./deed.ts";
import { cancelled, type Ended, failed } from "./ended.ts";
import { operation } from "./operation.ts";
import type { EffectOptions } from "./options.ts";
import type { Rendering } from "./rendering.ts";

export function work(options: EffectOptions): (input: WorkInput, context: WorkContext) => Promise<WorkResult> {
  return async (input, context) => ({ ...(await attempted(input, context, options)), draw: options.random() });
}

async function attempted(input: WorkInput, context: WorkContext, options: EffectOptions): Promise<Ended> {
  if (context.signal.aborted) return cancelled();
  try {
    return await attempt(input, context, options);
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return context.signal.aborted ? cancelled() : failed(error, 1, { Stderr: error.message });
  }
}

/** What the work would do, for the person who is asked whether it may. Throws a `TroupeError` where it could not run. */
export function workDeed(node: WorkNode, rendering: Rendering): Fields {
  switch (node.type) {
    case "command":
      return commandDeed(node, rendering);
    case "agent":
      return { provider: rendering.text(node.provider, `states.${node.name}.provider`) };
    case "operation":
      return operationDeed(node, rendering);
    default:
      return node satisfies never;
  }
}

function attempt(input: WorkInput, context: WorkContext, options: EffectOptions): Promise<Ended> {
  const { node } = input;
  switch (node.type) {
    case "command":
      return command({ ...input, node }, context, options);
    case "agent":
      return agentStep({ ...input, node }, context, options);
    case "operation":
      return operation({ ...input, node }, context, options);
    default:
      return node satisfies never;
  }
}
