/**
 * Asks a person on the terminal for the inputs that a run still needs, one by one.
 *
 * I1. A value that does not fit is asked for again, with what was expected; the end of the input gives up.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Troupe } from "../../actors/troupe.ts";
import { inputLines, isSecretInput, missingInputs, readInput } from "../../projections/terminal/inputs.ts";
import type { Io } from "./io.ts";
import type { InputFlags } from "./options.ts";

/** The given inputs and those that were typed. What is missing then is the run's to refuse. */
export async function fill(io: Io, troupe: Troupe, { workflow, inputs }: { workflow: string; inputs: InputFlags }) {
  if (!io.asks) return inputs;
  const { workflow: document } = await troupe.validate(io.cwd, workflow).catch(() => ({ workflow: null }));
  const filled: InputFlags = { ...inputs };
  for (const input of document === null ? [] : missingInputs(document, inputs)) {
    const value = await typed(input);
    if (value === null) return filled;
    filled[input.name] = value;
  }
  return filled;

  async function typed(input: Parameters<typeof readInput>[0]): Promise<string | null> {
    const { signal } = new AbortController();
    let above = `${inputLines(input, { colours: io.errColours, columns: io.errColumns }).join("\n")}\n`;
    for (;;) {
      const line = await io.readLine(signal, { hidden: isSecretInput(input.name), above });
      if (line === null) return null;
      const answer = readInput(input, line, (path) => existsSync(resolve(io.cwd, path)));
      if (answer.ok) return answer.value;
      above = `${answer.message}\n`;
    }
  }
}
