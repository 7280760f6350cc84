/**
 * Values of `--input` that stand for others: `@-` for what standard input holds, or a person types unseen;
 * `@prompts/review.md` for the text of that file.
 *
 * I1. A message about a value of a secret input does not repeat it.
 * I2. Secrets of an earlier process, which are in no store, are asked for where a person is there, and not shown.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type Troupe, TroupeError, troupeError } from "../../actors/troupe.ts";
import { isSecretInput } from "../../projections/terminal/inputs.ts";
import { safeLine } from "../../projections/terminal/safe.ts";
import { repeated } from "../../projections/terminal/usage.ts";
import { usage } from "./failure.ts";
import type { Io } from "./io.ts";
import type { InputFlags } from "./options.ts";

const STDIN = "@-";
const PROMPTS = "@prompts/";
const NOT_KEPT = " (a secret: it was not stored; what you type is not shown)";

/** The inputs with what standard input gives (I1). Throws USER.CLI.USAGE where two ask for it. */
export async function withStdin(io: Io, inputs: InputFlags): Promise<InputFlags> {
  tellFilesMeant(io, inputs);
  const names = Object.keys(inputs).filter((name) => inputs[name] === STDIN);
  const [name] = names;
  if (name === undefined) return inputs;
  if (io.asks) return { ...inputs, ...(await typedUnseen(io, names)) };
  if (names.length > 1)
    throw usage(`one input can be read from standard input, not ${names.map(repeated).join(" and ")}`);
  return { ...inputs, [name]: (await io.readAll()).replace(/\r?\n$/, "") };
}

/** Other tools read a file where a value is `@` and its path; here such a value is text, which is said where there is one. */
function tellFilesMeant(io: Io, inputs: InputFlags): void {
  for (const [name, value] of Object.entries(inputs)) {
    const path = value.startsWith("@") && value !== STDIN && !value.startsWith(PROMPTS) ? value.slice(1) : "";
    if (path === "" || isSecretInput(name) || !isFile(resolve(io.cwd, path))) continue;
    const word = safeLine(name);
    io.err(
      `troupe: input "${word}" is the text "${safeLine(value)}"; \`-i ${word}=@- < ${safeLine(path)}\` gives what is in the file\n`,
    );
  }
}
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false; // also what is too long for a path
  }
}

/** What a person types for each of them; `why` is said beside its name. Throws USER.CLI.USAGE where nothing comes. */
export async function typedUnseen(io: Io, names: readonly string[], why = ""): Promise<InputFlags> {
  const typed: InputFlags = {};
  for (const name of names) typed[name] = await unseen(io, name, why);
  return typed;
}
/** Does something with these inputs; where it is refused for want of a secret, once more with what a person types (I2). */
export async function withSecrets<Done>(
  io: Io,
  inputs: InputFlags,
  act: (inputs: InputFlags) => Promise<Done>,
): Promise<Done> {
  try {
    return await act(inputs);
  } catch (error) {
    const lacking = io.asks ? secretsLacking(error) : [];
    if (lacking.length === 0) throw error;
    return await act({ ...inputs, ...(await typedUnseen(io, lacking, NOT_KEPT)) });
  }
}
/** The inputs for want of which it was refused. */
function secretsLacking(error: unknown): string[] {
  const { code, details } = troupeError(error);
  const { inputs } = (details ?? {}) as { inputs?: unknown };
  return code === "USER.INPUT.MISSING" && Array.isArray(inputs) ? inputs.map(String) : [];
}

async function unseen(io: Io, name: string, why: string): Promise<string> {
  const above = `? ${safeLine(name)}${why}\n`;
  const value = await io.readLine(new AbortController().signal, { hidden: true, above });
  if (value === null) throw usage(`nothing was typed for ${repeated(name)}`);
  return value;
}

/** The inputs with the texts of the files that they name. Throws a `TroupeError`. */
export async function withPromptFiles(troupe: Troupe, cwd: string, inputs: InputFlags): Promise<InputFlags> {
  const read = Object.entries(inputs).map(async ([name, value]): Promise<[string, string]> => {
    try {
      return [name, await troupe.promptFile(cwd, value)];
    } catch (error) {
      if (!isSecretInput(name)) throw error;
      const { code } = troupeError(error);
      throw new TroupeError(code, `input "${name}": what begins with @prompts/ names a file, and there is none`);
    }
  });
  return Object.fromEntries(await Promise.all(read));
}
