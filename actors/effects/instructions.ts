/**
 * `AGENTS.md` of the folder that an agent works in, for an agent that does not read it by itself.
 *
 * I1. It stands before the first prompt of a conversation, and before no other.
 * I2. An agent that reads it is not given it a second time; nor is one whose own file is the same, or takes it in.
 * I3. The file stands in that folder itself, which the user trusts: no link leads out of it, and none above is looked at.
 * I4. That it was given, and that one was too long to be, is a row of the log.
 */
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { INSTRUCTION_FILES } from "../agents/instructions.ts";
import { readAllowed } from "../catalogue/files.ts";
import { troupeError } from "../errors/troupe-error.ts";

const [FILE] = INSTRUCTION_FILES;
/** About 8,000 tokens: what is longer would crowd out the prompt. */
export const MOST_INSTRUCTIONS = 32 * 1024;

export type Noted = (severity: "info" | "warning", message: string) => void;

/** Who is asked: its name, and the files that it reads by itself; null where that is not known. */
type Reader = { name: string; reads: readonly string[] | null };

/** What stands before the first prompt; null where it has nothing to be told, or reads it itself. */
export function instructionsFor({ name, reads }: Reader, cwd: string, note: Noted): string | null {
  // It is not known what an unknown agent reads.
  if (reads === null || reads.includes(FILE) || !existsSync(join(cwd, FILE))) return null;
  const text = readIn(cwd, FILE, note);
  if (text === null || text.trim() === "" || reads.some((file) => hasIt(cwd, file, text))) return null;
  note("info", `${FILE} of ${cwd} is given to ${name}, which does not read it by itself`);
  return `<instructions file="${FILE}">\n${text.trim()}\n</instructions>`;
}

function readIn(cwd: string, path: string, note: Noted): string | null {
  try {
    const where = "the words for agents";
    return readAllowed({ where, path, candidates: [join(cwd, path)], roots: [cwd], maxBytes: MOST_INSTRUCTIONS }).text;
  } catch (error) {
    note("warning", `${path} was not given to the agent: ${troupeError(error).message}`);
    return null;
  }
}

/** Whether a file that the agent reads is this one, says the same, or takes it in (`@AGENTS.md`). */
function hasIt(cwd: string, name: string, text: string): boolean {
  const file = join(cwd, name);
  if (!existsSync(file)) return false;
  if (realpathSync(file) === realpathSync(join(cwd, FILE))) return true;
  const own = readIn(cwd, name, () => undefined);
  return own !== null && (own.trim() === text.trim() || new RegExp(`@(\\./)?${FILE}\\b`).test(own));
}
