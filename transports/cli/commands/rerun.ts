/**
 * `troupe rerun`: does a run again that has ended, from the beginning, from a step on, or what failed of it.
 *
 * I1. Secrets of the earlier run, which are in no store, are asked for where a person is there, and not shown.
 */
import { givenBudget, type RerunRequest, troupeError } from "../../../actors/troupe.ts";
import { follow } from "../follow.ts";
import { typedUnseen, withPromptFiles, withStdin } from "../given.ts";
import type { CommandContext } from "../io.ts";
import { type InputFlags, type Output, outputOf } from "../options.ts";
import { withTroupe } from "../with-troupe.ts";
import { consentOf } from "./run.ts";

export type RerunArguments = {
  run: string;
  from: string | null;
  failed: boolean;
  force: boolean;
  trust: boolean;
  inputs: InputFlags;
  output: Output | undefined;
  trustAgent: readonly string[];
  budget?: string | undefined;
};

export const rerun = (context: CommandContext, asked: RerunArguments): Promise<number> =>
  withTroupe(
    context.io,
    async (troupe) => {
      const { io } = context;
      const { from, failed, force, trust } = asked;
      const run = await troupe.find(asked.run, { cwd: io.cwd });
      const { session, cwd } = await troupe.status(run);
      const given = await withPromptFiles(troupe, cwd, await withStdin(io, asked.inputs));
      // What the session has said before is not said again.
      const head = (await troupe.open(session)).head();
      const budget = asked.budget === undefined ? {} : { budget: await givenBudget(asked.budget) };
      const again = (inputs: InputFlags): Promise<number> => {
        const request: RerunRequest = {
          ...(from === null ? {} : { from }),
          ...budget,
          ...{ failed, force, inputs, consent: consentOf(io, trust) },
        };
        return follow(context, { after: head, converses: true, output: outputOf(asked.output, io) }, () =>
          troupe.rerun(run, request),
        );
      };
      try {
        return await again(given);
      } catch (error) {
        const secrets = io.asks ? secretsLacking(error) : [];
        if (secrets.length === 0) throw error;
        return await again({ ...given, ...(await typedUnseen(io, secrets)) });
      }
    },
    { trustAgents: asked.trustAgent },
  );

/** The inputs that a rerun was refused for (I1). */
function secretsLacking(error: unknown): string[] {
  const { code, details } = troupeError(error);
  const { inputs } = (details ?? {}) as { inputs?: unknown };
  return code === "USER.INPUT.MISSING" && Array.isArray(inputs) ? inputs.map(String) : [];
}
