/** `troupe run --detach`: the run belongs to a process of its own, which this starts, or is. */
import { givenBudget, type Run } from "../../../actors/troupe.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { inBackground, type Order } from "../background.ts";
import { usage } from "../failure.ts";
import { fill } from "../fill.ts";
import { withPromptFiles, withStdin } from "../given.ts";
import type { CommandContext } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { tellLacking } from "../lacking.ts";
import { withTroupe } from "../with-troupe.ts";
import { consentOf } from "./run.ts";

const HELD_MS = 60_000;
/** Of the name of an option in code. */
const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Starts the run and leaves it. `beside`: options that a process which leaves cannot have. Throws USER.CLI.USAGE. Asks here for what is missing, since no one can be asked there. */
export async function detach({ io, format }: CommandContext, order: Order, beside: object): Promise<number> {
  const [other] = Object.entries(beside).find(([, value]) => value !== undefined && value !== false) ?? [];
  if (other !== undefined) throw usage(`--detach has no --${dashed(other)}: that belongs to a process that stays`);
  const inputs = await withTroupe(io, async (troupe) => {
    await tellLacking(io, troupe, order.workflow);
    const given = await withPromptFiles(troupe, io.cwd, await withStdin(io, order.inputs));
    return await fill(io, troupe, { workflow: order.workflow, inputs: given });
  });
  const { run, pid } = await inBackground(io, { ...order, inputs });
  if (format === "json") writeJson(io, { run, pid });
  else {
    io.out(`${safeLine(order.workflow)} · run ${run} · in the background (pid ${pid})\n`);
    io.out(`  look: troupe status ${run} · troupe logs ${run} -f · troupe ui\n`);
    io.out(`  answer: troupe decide ${run}\n`);
  }
  return 0;
}

/** The process in the background: its order stands on standard input, and its first line answers it. */
export async function carryInBackground({ io }: CommandContext): Promise<number> {
  const { workflow, inputs, trust, allowMerge, budget, trustAgent } = JSON.parse(await io.readAll()) as Order;
  return await withTroupe(
    io,
    async (troupe) => {
      const merges = allowMerge ? ({ merges: "allow" } as const) : {};
      const consent = consentOf({ env: io.env, asks: false }, trust);
      const most = budget === undefined ? {} : { budget: await givenBudget(budget) };
      const run = await troupe.run({ workflow, inputs, consent, cwd: io.cwd, ...merges, ...most });
      const forget = io.onStop((why) => {
        // That its reader has gone is as it should be.
        if (why !== "closed") void run.cancel();
      });
      // While it waits for a person nothing else keeps the process.
      const held = setInterval(() => undefined, HELD_MS);
      try {
        await Promise.race([begins(run), run.done]);
        io.out(`${JSON.stringify({ run: run.id })}\n`);
        await run.done.catch(() => undefined); // the log says why
        return 0;
      } finally {
        clearInterval(held);
        forget();
      }
    },
    { trustAgents: trustAgent },
  );
}

/** Resolves with the first row that says that it runs, or that a person is asked. */
const begins = ({ id, session }: Run): Promise<void> =>
  new Promise((resolve) => {
    const following = session.log$().subscribe({
      next: (frames) => {
        const begun = frames.some(
          (frame) => frame.type === "permission.requested" || (frame.type === "run.started" && frame.run === id),
        );
        if (!begun) return;
        resolve();
        queueMicrotask(() => following.unsubscribe());
      },
      error: () => undefined, // the run's own end says it
    });
  });
