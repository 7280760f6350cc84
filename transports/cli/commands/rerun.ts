/** `troupe rerun`: does a run again that has ended, from the beginning, from a step on, or what failed of it. */
import { givenBudget, type RerunRequest } from "../../../actors/troupe.ts";
import { follow } from "../follow.ts";
import { withPromptFiles, withSecrets, withStdin } from "../given.ts";
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
      return await withSecrets(io, given, (inputs) => {
        const request: RerunRequest = {
          ...(from === null ? {} : { from }),
          ...budget,
          ...{ failed, force, inputs, consent: consentOf(io, trust) },
        };
        return follow(context, { after: head, converses: true, output: outputOf(asked.output, io) }, () =>
          troupe.rerun(run, request),
        );
      });
    },
    { trustAgents: asked.trustAgent },
  );
