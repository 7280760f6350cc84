/** `docs/examples/worktrees.yaml` with other agents, or with other prompts. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { House } from "./house.ts";

const EXAMPLE = fileURLToPath(new URL("../../docs/examples/worktrees.yaml", import.meta.url));
export const CONTESTANTS = ["first", "second", "third"] as const;
/** What the second of them leaves in `greet.txt`. */
export const WINNER = "Hello from the second";
export const VERDICT = { winner: "second", why: "It is the shortest." };

type Agent = { type: string; provider: string; prompt: string; options?: { [name: string]: unknown } };
type Example = { states: { [state: string]: Agent & { inputs?: { [name: string]: unknown } } } };
export type Contestant = (typeof CONTESTANTS)[number] | "judge";
/** `agents`: what is changed of an agent's step. `merge`: inputs of the merge beside those of the example. */
export type Changes = {
  agents: (name: Contestant, agent: Agent) => Partial<Agent>;
  merge?: { [name: string]: unknown };
};

export function writeContest({ cwd }: Pick<House, "cwd">, { agents, merge = {} }: Changes): void {
  const document = parse(readFileSync(EXAMPLE, "utf8")) as Example;
  for (const name of [...CONTESTANTS, "judge"] as const) {
    const state = document.states[name];
    if (state?.type !== "agent") throw new Error(`the example has changed: there is no agent "${name}"`);
    Object.assign(state, agents(name, state));
  }
  Object.assign(document.states["merge"]?.inputs ?? {}, merge);
  writeFileSync(join(cwd, ".troupe", "workflows", "contest.yaml"), JSON.stringify(document));
}

/** A script in the place of each: it runs without a model and without a key. */
export const played: Changes["agents"] = (name) => ({
  provider: "understudy",
  options: {
    script:
      name === "judge"
        ? [{ say: JSON.stringify(VERDICT) }]
        : [{ write: { path: "greet.txt", text: `Hello from the ${name}\n` } }, { say: "Done." }],
  },
});
