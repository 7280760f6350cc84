/** `troupe completion`, which a person asks once, and `troupe complete`, which their shell asks at each tabulator. */
import type { Command } from "commander";
import { type Troupe, worktrees } from "../../../actors/troupe.ts";
import { completionScript, type Shell } from "../../../projections/shells/script.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { type Candidate, candidates, type WordPlace } from "../candidates.ts";
import { type CommandContext, type Io, writeLines } from "../io.ts";
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
  const found = await candidates(program, words, async (name, standing) => {
    const look = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
    return look === undefined ? [] : await ask((troupe) => look(troupe, io, standing));
  });
  writeLines(
    io,
    found.map(({ word, means }) => `${safeLine(word)}\t${safeLine(means)}`),
  );
  return 0;
}

/** What this machine knows, by the name of an argument or of an option's value. */
const KNOWN: {
  readonly [name: string]: (troupe: Troupe, io: Io, standing: WordPlace) => Promise<Candidate[]>;
} = {
  // Where the workflow stands before it.
  input: async (troupe, { cwd }, { given: [workflow] }) =>
    ((await troupe.list(cwd)).find(({ id }) => id === workflow)?.inputs ?? []).map(({ name, description }) => ({
      word: `${name}=`,
      means: description ?? "",
    })),
  workflow: async (troupe, { cwd }) =>
    (await troupe.list(cwd)).map(({ id, description }) => ({ word: id, means: description })),
  run: runs,
  agent: async (troupe, { cwd }) =>
    (await (await troupe.agents(cwd)).list()).agents.map(({ slug, name }) => ({ word: slug, means: name })),
  conversation: async (troupe, { cwd }) =>
    (await troupe.agents(cwd)).conversations.list().map(({ id, title }) => ({ word: id, means: title })),
  pack: async (troupe, { cwd }) =>
    (await (await troupe.packs(cwd)).list()).map(({ name, description }) => ({ word: name, means: description })),
  worktree: async (troupe, { cwd, env }) =>
    (await (await worktrees()).worktreesOf(troupe, { cwd, environment: env }).list()).map(({ id, onto }) => ({
      word: id,
      means: onto === null ? "" : `onto ${onto}`,
    })),
};

/** What can be done to a run that has ended is not all that can be done to one that has not. */
const TAKES: { readonly [command: string]: { open: true } | { resumable: true } } = {
  ...{ cancel: { open: true }, decide: { open: true }, tell: { open: true } },
  resume: { resumable: true },
};

async function runs(troupe: Troupe, { cwd }: Io, { command }: WordPlace): Promise<Candidate[]> {
  const taken = Object.hasOwn(TAKES, command) ? TAKES[command] : undefined;
  const found = await troupe.history({ under: cwd, limit: MOST_RUNS, ...taken });
  const [latest] = taken === undefined ? found : await troupe.history({ under: cwd, limit: 1 });
  const isThere = found.some(({ id }) => id === latest?.id);
  const last = isThere ? [{ word: "@last", means: "the latest here" }] : [];
  return [...last, ...found.map(({ id, workflow, status }) => ({ word: id, means: `${workflow}, ${status}` }))];
}
