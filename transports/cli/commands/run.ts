/** `troupe run`: a workflow in the foreground. */
import type { Consent } from "../../../actors/troupe.ts";
import { follow } from "../follow.ts";
import type { Context, Io } from "../io.ts";
import type { Given } from "../options.ts";
import { withTroupe } from "../with-troupe.ts";

export const run = (context: Context, asked: { workflow: string; inputs: Given; trust: boolean }): Promise<number> =>
  withTroupe(context.io, (troupe) => {
    const { workflow, inputs, trust } = asked;
    const { io } = context;
    return follow(context, 0, () => troupe.run({ workflow, inputs, consent: consentOf(io, trust), cwd: io.cwd }));
  });

/** Consent given beforehand, a person who can be asked, or nobody. */
export function consentOf({ env, asks }: Pick<Io, "env" | "asks">, trust: boolean): Consent {
  if (trust || env["TROUPE_TRUST"] === "1") return "yes";
  return asks ? "ask" : "nobody";
}
