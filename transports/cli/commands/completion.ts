/** `troupe completion`, which a person asks once, and `troupe complete`, which their shell asks at each tabulator. */
import type { Command } from "commander";
import type { Troupe } from "../../../actors/troupe.ts";
import { completionScript, type Shell } from "../../../projections/shells/script.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { type Candidate, candidates } from "../candidates.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { inProject } from "../project.ts";
import { withTroupe } from "../with-troupe.ts";

/** So many runs are offered. */
const MOST_RUNS = 50;

export async function completion({ io }: CommandContext, shell: Shell): Promise<number> {
  io.out(completionScript(shell));
  return 0;
}

/** Whatever cannot be found out is not offered: a shell that completes shows no errors. */
export async function complete(context: CommandContext, program: Command, words: readonly string[]): Promise<number> {
  const { io } = inProject(context);
  const ask = (look: (troupe: Troupe) => Promise<Candidate[]>): Promise<Candidate[]> =>
    withTroupe(io, look).catch(() => []);
  const found = await candidates(program, words, async (argument) => {
    if (argument === "workflow")
      return await ask(async (troupe) =>
        (await troupe.list(io.cwd)).map(({ id, description }) => ({ word: id, means: description })),
      );
    if (argument === "run") return await ask((troupe) => runs(troupe, io.cwd));
    if (argument === "agent")
      return await ask(async (troupe) =>
        (await (await troupe.agents(io.cwd)).list()).agents.map(({ slug, name }) => ({ word: slug, means: name })),
      );
    return [];
  });
  writeLines(
    io,
    found.map(({ word, means }) => `${safeLine(word)}\t${safeLine(means)}`),
  );
  return 0;
}

async function runs(troupe: Troupe, under: string): Promise<Candidate[]> {
  const found = await troupe.history({ under, limit: MOST_RUNS });
  const last = found.length === 0 ? [] : [{ word: "@last", means: "the latest here" }];
  return [...last, ...found.map(({ id, workflow, status }) => ({ word: id, means: `${workflow}, ${status}` }))];
}
