/** `troupe run`: a workflow in the foreground. */
import type { Consent } from "../../../actors/troupe.ts";
import { fill } from "../fill.ts";
import { follow } from "../follow.ts";
import { withPromptFiles, withStdin } from "../given.ts";
import type { CommandContext, Io } from "../io.ts";
import { tellLacking } from "../lacking.ts";
import type { InputFlags } from "../options.ts";
import { withTroupe } from "../with-troupe.ts";

export const run = (
  context: CommandContext,
  asked: { workflow: string; inputs: InputFlags; trust: boolean; ephemeral: boolean },
): Promise<number> =>
  withTroupe(
    context.io,
    async (troupe) => {
      const { workflow, trust, ephemeral } = asked;
      const { io } = context;
      await tellLacking(io, troupe, workflow);
      const given = await withPromptFiles(troupe, io.cwd, await withStdin(io, asked.inputs));
      const inputs = await fill(io, troupe, { workflow, inputs: given });
      return follow(context, { after: 0, converses: true, keeps: !ephemeral }, () =>
        troupe.run({ workflow, inputs, consent: consentOf(io, trust), cwd: io.cwd }),
      );
    },
    { ephemeral: asked.ephemeral },
  );

/** Consent given beforehand, a person who can be asked, or nobody. */
export function consentOf({ env, asks }: Pick<Io, "env" | "asks">, trust: boolean): Consent {
  if (trust || env["TROUPE_TRUST"] === "1") return "yes";
  return asks ? "ask" : "nobody";
}
