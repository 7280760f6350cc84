/**
 * The effect `conclude`: a terminal's message and the workflow's outputs, rendered. Rejects with a `TroupeError`.
 *
 * I1. AWF reads no outputs of a workflow: in its places one that cannot be rendered is a warning and left out.
 * I2. A message changes no outcome: one that cannot be rendered is a warning, and stays as it is written.
 */
import type { Concluded, ConcludeInput } from "../../machines/contracts.ts";
import type { Json } from "../../machines/model.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { WorkContext } from "../host/host.ts";
import type { EffectOptions } from "./options.ts";
import { Rendering } from "./rendering.ts";
import { warningsOf } from "./warnings.ts";

export function conclude(options: EffectOptions): (input: ConcludeInput, context: WorkContext) => Promise<Concluded> {
  return async ({ origin, message, outputs, scope }, context) => {
    const warn = warningsOf(context, origin);
    const rendering = new Rendering(scope, options, warn);
    return {
      message: message === null ? null : lastWords(message, rendering, warn),
      outputs: scope.awf === true ? readable(outputs, rendering, warn) : rendering.record(outputs, "outputs"),
    };
  };
}

/** I2. */
function lastWords(message: string, rendering: Rendering, warn: (message: string) => void): string {
  try {
    return rendering.text(message, "message");
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    warn(`${error.message}; the message stays as it is written`);
    return message;
  }
}

/** The outputs that can be rendered (I1). */
function readable(
  outputs: ConcludeInput["outputs"],
  rendering: Rendering,
  warn: (message: string) => void,
): { [name: string]: Json } {
  const rendered: { [name: string]: Json } = {};
  for (const [name, text] of Object.entries(outputs)) {
    try {
      rendered[name] = rendering.value(text, `outputs.${name}`);
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      warn(`${error.message}; the output is left out`);
    }
  }
  return rendered;
}
