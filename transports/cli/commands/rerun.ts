/** `troupe rerun`: does a run again that has ended, from the beginning, from a step on, or what failed of it. */
import type { RerunRequest } from "../../../actors/troupe.ts";
import { follow } from "../follow.ts";
import { withPromptFiles, withStdin } from "../given.ts";
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
};

export const rerun = (context: CommandContext, asked: RerunArguments): Promise<number> =>
  withTroupe(context.io, async (troupe) => {
    const { io } = context;
    const { from, failed, force, trust } = asked;
    const run = await troupe.find(asked.run, { cwd: io.cwd });
    const { session, cwd } = await troupe.status(run);
    const inputs = await withPromptFiles(troupe, cwd, await withStdin(io, asked.inputs));
    const request: RerunRequest = {
      ...(from === null ? {} : { from }),
      ...{ failed, force, inputs, consent: consentOf(io, trust) },
    };
    // What the session has said before is not said again.
    const head = (await troupe.open(session)).head();
    return follow(context, { after: head, converses: true, output: outputOf(asked.output, io) }, () =>
      troupe.rerun(run, request),
    );
  });
