/** `troupe backup` and `troupe restore`: a copy of the store, and back. */
import { copies } from "../../../actors/troupe.ts";
import { safeLine, safeWord } from "../../../projections/terminal/safe.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";

export async function backup({ io, format }: CommandContext, folder: string): Promise<number> {
  const made = (await copies()).backUp({ environment: io.env, cwd: io.cwd, folder });
  if (format === "json") writeJson(io, made);
  else
    writeLines(io, [
      `Copied ${made.files.join(", ")} to ${safeLine(made.folder)}. Back: troupe restore ${safeWord(folder)}`,
    ]);
  return 0;
}

export async function restore({ io, format }: CommandContext, folder: string, force: boolean): Promise<number> {
  const done = (await copies()).restore({ environment: io.env, cwd: io.cwd, folder, force });
  if (format === "json") writeJson(io, done);
  else
    writeLines(io, [
      `${safeLine(done.file)} is the copy now.`,
      ...(done.replaced === null ? [] : [`What stood there is in ${safeLine(done.replaced)}.`]),
    ]);
  return 0;
}
