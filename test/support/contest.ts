/** `docs/examples/worktrees.yaml` with scripts in the place of its agents: it runs without a model and without a key. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { House } from "./house.ts";

const EXAMPLE = fileURLToPath(new URL("../../docs/examples/worktrees.yaml", import.meta.url));

type Agent = { type: string; provider: string; options: { [name: string]: unknown } };
type Merge = { inputs: { [name: string]: unknown } };
type Example = { states: { [state: string]: Agent & Merge } };

export const exampleText = (): string => readFileSync(EXAMPLE, "utf8");

/** Puts it into the house; the judge picks the second. `merge`: inputs of the merge beside those of the example. */
export function writeContest(house: Pick<House, "cwd">, merge: { [name: string]: unknown } = {}): void {
  const document = parse(exampleText()) as Example;
  const { states } = document;
  const play = (name: string, ...script: object[]): void => {
    const state = states[name];
    if (state?.type !== "agent") throw new Error(`the example has changed: there is no agent "${name}"`);
    Object.assign(state, { provider: "understudy", options: { script } });
  };
  for (const name of ["first", "second", "third"])
    play(name, { write: { path: "greet.txt", text: `Hello from the ${name}\n` } }, { say: "Done." });
  play("judge", { say: '{"winner": "second", "why": "It is the shortest."}' });
  Object.assign(states["merge"]?.inputs ?? {}, merge);
  writeFileSync(join(house.cwd, ".troupe", "workflows", "contest.yaml"), JSON.stringify(document));
}
