/** `troupe run --detach` and `resume --detach`: the run belongs to a process of its own, which this starts, or is. */
import { givenBudget, type Run, type Troupe } from "../../../actors/troupe.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { inBackground, type Order, type ResumeOrder, type RunOrder } from "../background.ts";
import { usage } from "../failure.ts";
import { fill } from "../fill.ts";
import { withPromptFiles, withSecrets, withStdin } from "../given.ts";
import type { CommandContext, Io } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { tellLacking } from "../lacking.ts";
import type { Output } from "../options.ts";
import { withTroupe } from "../with-troupe.ts";
import { consentOf } from "./run.ts";

const HELD_MS = 60_000;
/** Of the name of an option in code. */
const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Starts the run and leaves it. `beside`: options that a process which leaves cannot have. Throws USER.CLI.USAGE. Asks here for what is missing, since no one can be asked there. */
export async function detach(
  { io, format }: CommandContext,
  order: RunOrder,
  { output, ...beside }: { output: Output | undefined; [option: string]: unknown },
): Promise<number> {
  const [other] = Object.entries(beside).find(([, value]) => value !== undefined && value !== false) ?? [];
  if (other !== undefined) throw usage(`--detach has no --${dashed(other)}: that belongs to a process that stays`);
  const inputs = await withTroupe(
    io,
    async (troupe) => {
      await tellLacking(io, troupe, order.workflow);
      const given = await withPromptFiles(troupe, io.cwd, await withStdin(io, order.inputs));
      return await fill(io, troupe, { workflow: order.workflow, inputs: given });
    },
    { trustAgents: order.trustAgent },
  );
  return await left({ io, format, output }, order.workflow, { ...order, inputs });
}

/** Lets a run go on there. Asks nobody here: what it asks is decided from elsewhere. */
export async function detachResumed(
  { io, format }: CommandContext,
  { run: named, output, ...order }: Omit<ResumeOrder, "run"> & { run: string | null; output: Output | undefined },
): Promise<number> {
  if (named === null) throw usage("--detach needs the id of the run that goes on");
  const { inputs, run, workflow } = await withTroupe(
    io,
    async (troupe) => {
      const found = await troupe.find(named, { cwd: io.cwd });
      const { status, workflow: name } = await troupe.status(found);
      if (status === "waiting") throw usage(`run "${found}" is running elsewhere: --detach says nothing to it`);
      return { inputs: await withStdin(io, order.inputs), run: found, workflow: name };
    },
    { trustAgents: order.trustAgent },
  );
  return await withSecrets(io, inputs, (given) =>
    left({ io, format, output }, workflow, { ...order, run, inputs: given }),
  );
}

type Leaving = CommandContext & { output: Output | undefined };

/** With `quiet` the id stands alone, for a script. */
async function left({ io, format, output }: Leaving, workflow: string, order: Order): Promise<number> {
  const { run, pid } = await inBackground(io, order);
  if (format === "json") writeJson(io, { run, pid });
  else if (output === "quiet") io.out(`${run}\n`);
  else {
    io.out(`${safeLine(workflow)} · run ${run} · in the background (pid ${pid})\n`);
    io.out(`  look: troupe status ${run} · troupe logs ${run} -f · troupe ui\n`);
    io.out(`  answer: troupe decide ${run}\n`);
  }
  return 0;
}

/** The process in the background: its order stands on standard input, and its first line answers it. */
export async function carryInBackground({ io }: CommandContext): Promise<number> {
  const order = JSON.parse(await io.readAll()) as Order;
  return await withTroupe(
    io,
    async (troupe) => {
      const { run, begun } = "run" in order ? await resumed(troupe, io, order) : await begin(troupe, io, order);
      const refused = Promise.withResolvers<void>();
      const forget = io.onStop((why) => {
        // That its reader has gone is as it should be. Where no cancel can be written the run ends with this process.
        if (why !== "closed") run.cancel().catch(() => refused.resolve());
      });
      // While it waits for a person nothing else keeps the process.
      const held = setInterval(() => undefined, HELD_MS);
      try {
        await Promise.race([begun, run.done]);
        io.out(`${JSON.stringify({ run: run.id })}\n`);
        await Promise.race([run.done.catch(() => undefined), refused.promise]); // the log says why
        return 0;
      } finally {
        clearInterval(held);
        forget();
      }
    },
    { trustAgents: order.trustAgent },
  );
}

type Begun = { run: Run; begun: Promise<void> };

async function begin(troupe: Troupe, io: Io, order: RunOrder): Promise<Begun> {
  const { workflow, inputs, trust, allowMerge, budget } = order;
  const merges = allowMerge ? ({ merges: "allow" } as const) : {};
  const consent = consentOf({ env: io.env, asks: false }, trust);
  const most = budget === undefined ? {} : { budget: await givenBudget(budget) };
  const run = await troupe.run({ workflow, inputs, consent, cwd: io.cwd, ...merges, ...most });
  return { run, begun: says(run, 0, (row) => row.type === "run.started" && row.run === run.id) };
}

async function resumed(troupe: Troupe, io: Io, { run: id, inputs, trust, ...order }: ResumeOrder): Promise<Begun> {
  const consent = consentOf({ env: io.env, asks: false }, trust);
  const most = order.budget === undefined ? {} : { budget: (await givenBudget(order.budget)).limits };
  const head = (await troupe.open((await troupe.status(id)).session)).head();
  const run =
    order.answer === null
      ? await troupe.resume(id, { recover: order.recover ?? "ask", inputs, consent, ...most })
      : await troupe.answer(id, { text: order.answer, inputs, consent });
  return { run, begun: says(run, head, ({ type }) => type === "turn.started") };
}

/** Resolves with the first row after one that says that the run goes, or that a person is asked. */
const says = ({ session }: Run, after: number, goes: (row: { type: string; run?: string }) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const following = session.log$({ after }).subscribe({
      next: (frames) => {
        const begun = frames.some((frame) => frame.type === "permission.requested" || goes(frame));
        if (!begun) return;
        resolve();
        queueMicrotask(() => following.unsubscribe());
      },
      error: () => undefined, // the run's own end says it
    });
  });
