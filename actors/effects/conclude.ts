/** The effect `conclude`: a terminal's message and the workflow's outputs, rendered. Rejects with a `TroupeError`. */
import type { Concluded, ConcludeInput } from "../../machines/births.ts";
import type { EffectOptions } from "./options.ts";
import { Rendering } from "./rendering.ts";

export function conclude(options: EffectOptions): (input: ConcludeInput) => Promise<Concluded> {
  return async ({ message, outputs, scope }) => {
    const rendering = new Rendering(scope, options);
    return {
      message: message === null ? null : rendering.text(message, "message"),
      outputs: rendering.record(outputs, "outputs"),
    };
  };
}
