/** `troupe run`: a workflow in the foreground. */
import { type Consent, givenBudget, troupeError } from "../../../actors/troupe.ts";
import { refusedSummary } from "../../../projections/actions/summary.ts";
import type { Inspected, InspectFlags } from "../../inspect/inspected.ts";
import { fill } from "../fill.ts";
import { follow } from "../follow.ts";
import { tellingNoFrames } from "../frames-told.ts";
import { withPromptFiles, withStdin } from "../given.ts";
import type { CommandContext, Io } from "../io.ts";
import { tellLacking } from "../lacking.ts";
import { type InputFlags, type Output, outputOf } from "../options.ts";
import type { Profile } from "../profile.ts";
import { withTroupe } from "../with-troupe.ts";

type Asked = {
  workflow: string;
  inputs: InputFlags;
  trust: boolean;
  ephemeral: boolean;
  /** Whether the run is shown in the browser as it goes. */
  watch: boolean;
  trustAgent: readonly string[];
  framesLog?: string | undefined;
  /** Merges of trees are not asked for where the file says so. */
  allowMerge: boolean;
  /** What it may spend, as it was given. */
  budget?: string | undefined;
  /** The URL of the engine that it runs on. */
  engine?: string | undefined;
  output?: Output | undefined;
  /** Where to write where the time went; true for a new file. A name is meant from where the user stands. */
  profile?: { file: string | true; folder: string };
  inspecting: InspectFlags;
};

export async function run(context: CommandContext, { profile: timed, ...asked }: Asked): Promise<number> {
  const profile = timed === undefined ? null : await profiled(context.io, timed);
  const inspected = await inspectedRun(context, asked);
  const tellNoFrames = tellingNoFrames(context.io, asked.framesLog);
  try {
    const code = await summed(context, asked.workflow, (summing) => carried(summing, asked, { profile, inspected }));
    tellNoFrames();
    return code;
  } finally {
    await inspected?.end();
    await profile?.end();
  }
}

/** The summary of a job on GitHub says also why a run was refused. */
async function summed(
  { io, format }: CommandContext,
  workflow: string,
  act: (context: CommandContext) => Promise<number>,
): Promise<number> {
  const { actions } = io;
  if (actions === null || format === "json") return await act({ io, format });
  let isSummed = false;
  const summary = (text: string): void => {
    isSummed ||= text !== "";
    actions.summary(text);
  };
  try {
    return await act({ io: { ...io, actions: { ...actions, summary } }, format });
  } catch (error) {
    if (!isSummed) actions.summary(refusedSummary(workflow, troupeError(error)));
    throw error;
  }
}

const profiled = async (io: Io, { file, folder }: NonNullable<Asked["profile"]>): Promise<Profile> =>
  await (await import("../profile.ts")).Profile.begin({ ...io, cwd: folder }, file);

/** Throws USER.SERVE.ORIGIN and USER.SERVE.LISTEN. */
async function inspectedRun(
  { io }: CommandContext,
  { inspecting, ephemeral }: Pick<Asked, "inspecting" | "ephemeral">,
): Promise<Inspected | undefined> {
  if (inspecting.inspect !== true && inspecting.inspectOrigin === undefined) return undefined;
  const { inspectedBy } = await import("../../inspect/inspected.ts");
  const log = (line: string): void => io.err(`troupe: ${line}\n`);
  const told = { environment: io.env, command: "troupe run", isAnnounced: !ephemeral, asks: io.asks, log };
  return await inspectedBy(inspecting, told);
}

type Watching = { profile: Profile | null; inspected: Inspected | undefined };

const carried = (
  context: CommandContext,
  asked: Omit<Asked, "profile">,
  { profile, inspected }: Watching,
): Promise<number> =>
  withTroupe(
    context.io,
    async (troupe) => {
      const { workflow, trust, ephemeral, watch, allowMerge } = asked;
      const merges = allowMerge ? ({ merges: "allow" } as const) : {};
      const budget = asked.budget === undefined ? {} : { budget: await givenBudget(asked.budget) };
      const { io } = context;
      await tellLacking(io, troupe, workflow);
      const given = await withPromptFiles(troupe, io.cwd, await withStdin(io, asked.inputs));
      const inputs = await fill(io, troupe, { workflow, inputs: given });
      const output = outputOf(asked.output, io);
      profile?.enter("checks");
      const page = watch ? await (await import("../watched.ts")).watchedPage(io, troupe) : null;
      try {
        const code = await follow(
          context,
          { after: 0, converses: true, keeps: !ephemeral, elsewhere: watch, output },
          async () => {
            const begun = await troupe.run({
              workflow,
              inputs,
              consent: consentOf(io, trust),
              cwd: io.cwd,
              ...merges,
              ...budget,
            });
            profile?.follow(begun);
            page?.show(begun.id);
            return begun;
          },
        );
        await page?.left();
        return code;
      } finally {
        await page?.end();
      }
    },
    {
      ephemeral: asked.ephemeral,
      trustAgents: asked.trustAgent,
      ...(asked.engine === undefined ? {} : { engine: asked.engine }),
      ...(asked.framesLog === undefined ? {} : { framesLog: asked.framesLog }),
      ...(inspected === undefined ? {} : { inspect: inspected.inspect }),
    },
  );

/** Consent given beforehand, a person who can be asked, or neither. */
export function consentOf({ env, asks }: Pick<Io, "env" | "asks">, trust: boolean): Consent {
  if (trust || env["TROUPE_TRUST"] === "1") return "yes";
  return asks ? "ask" : "nobody";
}
