/**
 * Runs many rendered commands in few processes and tells which of them touched the canary.
 *
 * I1. Each command runs in a subshell of its own, in an empty folder, with no input. A batch in which the canary
 *     appears is run again one by one, so that the command and value are known.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTemplate } from "../../../machines/workflow/template/parse.ts";
import { TemplateError } from "../../../machines/workflow/template/render.ts";
import { renderCommand, type ShellCommand } from "../../../machines/workflow/template/shell.ts";

const BATCH = 100;

export type Place = { root: string; canary: string; leave: () => void };
export type Tried = { tried: number; refused: number; hits: string[] };
type Job = ShellCommand & { value: string };

/** A folder for a round of tries. */
export function openPlace(): Place {
  const root = mkdtempSync(join(tmpdir(), "shell-"));
  return { root, canary: join(root, "C"), leave: () => rmSync(root, { recursive: true, force: true }) };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The command with this value, or null where it is refused. */
function jobOf(command: string, value: string): Job | null {
  const parsed = parseTemplate(command);
  if (!parsed.ok) throw new Error(`${command}: ${parsed.faults[0]?.message}`);
  try {
    return { ...renderCommand(parsed.template, { loop: { Item: value } }), value };
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

/** Whether the canary was touched; a batch in which a command hangs is run one by one, each for a short time. */
function run(shell: string, jobs: readonly Job[], place: Place): boolean {
  const cwd = join(place.root, "work");
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  const values = join(place.root, "values");
  const lines = jobs.map(({ script, env, large }, index) => {
    const folder = `${values}-${index}`;
    if (Object.keys(large).length > 0) mkdirSync(folder, { recursive: true });
    for (const [name, value] of Object.entries(large)) writeFileSync(join(folder, name), value);
    const set = Object.entries({ ...env, TROUPE_VALUES: folder }).map(([name, text]) => `${name}=${quoted(text)}`);
    return `(export ${set.join(" ")}; eval ${quoted(script)}) </dev/null >/dev/null 2>&1\n`;
  });
  const file = join(place.root, "batch");
  writeFileSync(file, lines.join(""));
  const { error } = spawnSync(shell, [file], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, LC_ALL: "C.UTF-8" },
    stdio: "ignore",
    timeout: jobs.length > 1 ? 60_000 : 5_000,
    killSignal: "SIGKILL",
  });
  const hangs = (error as NodeJS.ErrnoException | undefined)?.code === "ETIMEDOUT";
  if (error !== undefined && !hangs) throw error;
  if (hangs && jobs.length > 1) return jobs.filter((job) => run(shell, [job], place)).length > 0;
  const touched = existsSync(place.canary);
  rmSync(place.canary, { force: true });
  return touched;
}

/** Tries the values in a command, under each shell. */
export function tryValues(command: string, values: readonly string[], shells: readonly string[], place: Place): Tried {
  const jobs = values.flatMap((value) => jobOf(command, value) ?? []);
  const hits: string[] = [];
  for (const shell of shells) {
    for (let at = 0; at < jobs.length; at += BATCH) {
      const batch = jobs.slice(at, at + BATCH);
      if (!run(shell, batch, place)) continue;
      const alone = batch.filter((job) => run(shell, [job], place));
      const shown = alone.length > 0 ? alone.map(({ value }) => JSON.stringify(value).slice(0, 80)) : ["together only"];
      hits.push(...shown.slice(0, 3).map((value) => `${shell}: ${value}`));
      break;
    }
  }
  return { tried: values.length * shells.length, refused: (values.length - jobs.length) * shells.length, hits };
}
