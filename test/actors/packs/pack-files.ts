/** A folder for packs anew for each test of the file that takes it from here, and the files of a pack. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import type { Packs } from "../../../actors/api/packs.ts";
import { openPacks } from "../../../actors/packs/packs.ts";
import { type TarEntry, tarGz } from "../../support/tar.ts";

export let root: string;
export let cwd: string;
export let packs: Packs;
export const NOW = Date.UTC(2030, 0, 1);
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-packs-")));
  cwd = join(root, "work");
  mkdirSync(cwd);
  packs = openPacks({
    cwd,
    folders: { project: join(cwd, ".troupe/workflow-packs"), user: join(root, "user/packs") },
    now: () => NOW,
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

export const WORKFLOW =
  "name: hi\nstates:\n  initial: a\n  a: {type: step, command: echo hi, on_success: done}\n  done: {type: terminal}\n";
export const manifest = (name = "review", version = "1.0.0") =>
  `name: ${name}\nversion: ${version}\ndescription: Looks\nworkflows: [hi]\n`;
export const filesOf = (name?: string, version?: string): { [name: string]: string } => ({
  "manifest.yaml": manifest(name, version),
  "workflows/hi.yaml": WORKFLOW,
});
export const archive = tarGz;
export type Entry = TarEntry;
export const entriesOf = (files: { [name: string]: string }): Entry[] =>
  Object.entries(files).map(([path, text]) => ({ path, text }));

/** Writes a file below the root, and gives its place. */
export function write(path: string, content: string | Buffer): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Every path below the root but what was there. */
export const tree = (): string[] => (readdirSync(root, { recursive: true }) as string[]).sort();
export const refused = (code: string) => expect.objectContaining({ code });
