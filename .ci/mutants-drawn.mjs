// A checker of Stryker's that lets a share of the mutants through: MUTATION_SHARE (percent) of them, drawn by
// MUTATION_SEED (MUTATION_ROOT is the project), the same ones each time. A mutant that was not drawn counts nowhere, as one that does not compile.
import { createHash } from "node:crypto";
import { relative } from "node:path";

/** Whether a mutant is drawn: `share` percent of all are. `root`: the folder that names of files are relative to. */
export function drawn({ fileName, location, mutatorName, replacement }, { share, seed, root }) {
  const { start, end } = location;
  const place = `${relative(root, fileName)}:${start.line}:${start.column}-${end.line}:${end.column}`;
  const hash = createHash("sha256").update(`${seed} ${place} ${mutatorName} ${replacement}`).digest();
  return hash.readUInt32BE() < (share / 100) * 2 ** 32;
}

class Drawn {
  async init() {}

  async check(mutants) {
    const { MUTATION_SHARE: share, MUTATION_SEED: seed, MUTATION_ROOT: root } = process.env;
    const how = { share: Number(share), seed, root };
    const answer = (mutant) =>
      drawn(mutant, how) ? { status: "passed" } : { status: "compileError", reason: "not drawn" };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, answer(mutant)]));
  }

  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }
}

export const strykerPlugins = [{ kind: "Checker", name: "drawn", injectableClass: Drawn }];
