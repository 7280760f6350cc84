/**
 * `troupe init --editor`: what an editor needs to know Troupe, shown, or put in its place with --write.
 *
 * I1. Without --write no file is touched. With it, only one of plain JSON is changed, and only by the entry of ours: what
 *     else stands there stays. A file with comments, or one that is a program, is its owner's to change.
 * I2. An entry of ours that says something else is replaced only with --force.
 * I3. A file is replaced by rename, with its own mode: a reader sees the old file or the new one.
 */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { type Environment, TroupeError } from "../../../actors/troupe.ts";
import { type Editor, editorSnippet, type Snippet } from "../../../projections/editors/snippet.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { editorCommand, type Running, systemPath } from "../editor-command.ts";
import { editorFile, NEEDS } from "../editor-files.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";

type Asked = { editor: Editor; write: boolean; force: boolean };

export async function initEditor({ io, format }: CommandContext, { editor, write, force }: Asked): Promise<number> {
  const snippet = editorSnippet(editor, editorCommand(running(io.env)));
  const file = editorFile(editor, io.env, io.env["HOME"] || homedir());
  const state = write ? put(snippet, file, force) : "shown";
  const { language, text } = snippet;
  if (format === "json") writeJson(io, { editor, file, state, language, text, needs: NEEDS[editor] });
  else if (state === "shown") writeLines(io, [`In ${safeLine(file)}:`, "", text, ...needed(editor)]);
  else
    writeLines(io, [
      `${safeLine(file)} ${state === "written" ? "has Troupe now" : "had it already"}.`,
      ...needed(editor),
    ]);
  return 0;
}

const running = (env: Environment): Running => ({
  env,
  node: process.execPath,
  script: process.argv[1],
  system: systemPath(process.platform),
});
const needed = (editor: Editor): string[] => (NEEDS[editor] === null ? [] : ["", `It needs ${NEEDS[editor]}.`]);

function put({ entry }: Snippet, file: string, force: boolean): "written" | "there" {
  if (entry === null) throw unwritable(file, "it is a program of yours");
  const whole = existsSync(file) ? parsed(file) : {};
  let inner: { [key: string]: unknown } = whole;
  for (const key of entry.path.slice(0, -1)) {
    const next = Object.hasOwn(inner, key) ? inner[key] : {};
    if (!isObject(next)) throw unwritable(file, `"${key}" is no object there`);
    inner[key] = next;
    inner = next;
  }
  const name = entry.path.at(-1) ?? "";
  const there = Object.hasOwn(inner, name) ? JSON.stringify(inner[name]) : undefined;
  if (there === JSON.stringify(entry.value)) return "there";
  if (there !== undefined && !force)
    throw new TroupeError(
      "USER.CLI.EXISTS",
      `${file} has another "${name}", and nothing was written: --force replaces it`,
      { file },
    );
  inner[name] = entry.value;
  try {
    replace(file, `${JSON.stringify(whole, null, 2)}\n`);
  } catch (error) {
    throw new TroupeError(
      "SYSTEM.IO.WRITE_FAILED",
      `cannot write ${file}: ${(error as Error).message}`,
      { file },
      error,
    );
  }
  return "written";
}

function parsed(file: string): { [key: string]: unknown } {
  const text = readFileSync(file, "utf8");
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // told below
  }
  throw unwritable(file, "it is not plain JSON, and its comments would be lost");
}

const isObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const unwritable = (file: string, why: string): TroupeError =>
  new TroupeError("USER.CLI.USAGE", `${file} is not changed: ${why}. Without --write the text for it is shown`, {
    file,
  });

function replace(file: string, text: string): void {
  const place = existsSync(file) ? realpathSync(file) : file;
  mkdirSync(dirname(place), { recursive: true });
  const draft = `${place}.${randomUUID()}`;
  writeFileSync(draft, text, { flag: "wx", mode: statSync(place, { throwIfNoEntry: false })?.mode ?? 0o644 });
  renameSync(draft, place);
}
