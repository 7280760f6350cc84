/**
 * `troupe init`: a first workflow and a demo.
 *
 * I1. A file that exists is replaced only with --force; without it, nothing at all is written when one exists.
 */
import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TroupeError } from "../../../actors/looking.ts";
import { DEMO } from "../../shipped/demo.ts";
import { EXAMPLE } from "../../shipped/example.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";

const FOLDER = join(".troupe", "workflows");
const FILES: readonly { name: string; text: string }[] = [
  { name: "example.yaml", text: EXAMPLE },
  { name: "demo.yaml", text: DEMO },
];
const NEXT = `
Next:
  troupe list                        what can be run here
  troupe run example --dry-run       what it would do
  troupe run example -i name=you     run it
  troupe run demo                    a tour with an agent played from a script: no key, no model
  troupe acp                         what your editor starts as an ACP agent`;

export async function init({ io, format }: CommandContext, { force }: { force: boolean }): Promise<number> {
  const folder = join(io.cwd, FOLDER);
  const files = FILES.map(({ name, text }) => ({ path: join(FOLDER, name), text }));
  const existing: string[] = [];
  for (const { path } of files) if (await exists(join(io.cwd, path))) existing.push(path);
  if (existing.length > 0 && !force) {
    const message = `${existing.join(" and ")} ${existing.length === 1 ? "exists" : "exist"} already, and nothing was written: --force replaces`;
    throw new TroupeError("USER.CLI.EXISTS", message, { files: existing });
  }
  try {
    await mkdir(folder, { recursive: true });
    for (const { path, text } of files) {
      // A link is replaced, not what it points to.
      if (force) await rm(join(io.cwd, path), { force: true });
      await writeFile(join(io.cwd, path), text, { flag: "wx" });
    }
  } catch (error) {
    throw new TroupeError(
      "SYSTEM.IO.WRITE_FAILED",
      `cannot write in ${folder}: ${(error as Error).message}`,
      { folder },
      error,
    );
  }
  const written = files.map(({ path }) => path);
  if (format === "json") writeJson(io, { files: written });
  else writeLines(io, [...written.map((path) => `wrote ${path}`), NEXT.trimEnd()]);
  return 0;
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
