/** Values of `--input` that name a file: `@prompts/review.md` stands for its text. */
import type { Troupe } from "../../actors/troupe.ts";
import type { Given } from "./options.ts";

/** The inputs with the texts of the files that they name. Throws a `TroupeError`. */
export async function withPromptFiles(troupe: Troupe, cwd: string, inputs: Given): Promise<Given> {
  const read = Object.entries(inputs).map(async ([name, value]) => [name, await troupe.promptFile(cwd, value)]);
  return Object.fromEntries(await Promise.all(read));
}
