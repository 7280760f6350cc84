/** A workspace and what lies outside of it, anew for each test of the file that takes them from here. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { Roots } from "../../../../actors/acp-client/files/roots.ts";
import { type WritePolicy, writeTextFile } from "../../../../actors/acp-client/files/write.ts";

export const never = new AbortController().signal;
let top: string;
export let work: string;
export let outside: string;
export let roots: Roots;

beforeEach(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "troupe-files-")));
  work = join(top, "work");
  outside = join(top, "work-outside"); // begins like the root
  for (const folder of [work, outside, join(work, "src")]) mkdirSync(folder);
  writeFileSync(join(work, "src", "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(outside, "secret.txt"), "secret\n");
  roots = await Roots.of(work);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

export const write = (path: string, content: string, policy: WritePolicy = "allow") =>
  writeTextFile(roots, { path, content }, policy, never);
