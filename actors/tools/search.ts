/**
 * Glob and Grep: names and lines of the workspace.
 *
 * I1. No link is followed on the way, so nothing outside of the workspace is seen.
 * I2. What is looked at and what is given has a limit, and reaching it is reported.
 * I3. Patterns are matched in linear time.
 * I4. A file that a rule denies is as if it were not there; so is one that a rule has asked about, unless the search
 *     itself was asked about.
 */
import { readdir } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { RE2JS } from "re2js";
import { z } from "zod";
import type { ToolKind } from "../../machines/exchange.ts";
import { mayHoldSecret } from "../acp-client/files/guarded.ts";
import { readTextFile } from "../acp-client/files/read.ts";
import { globHere } from "../base/globs.ts";
import { allowed, type ToolCall, type ToolEnd, ToolFault, tool } from "./tool.ts";

const MAX_SEEN = 100_000;
const MAX_FILES = 1000;
const MAX_LINES = 1000;
const MAX_LINE = 500;
const SKIPPED = new Set([".git", "node_modules"]);

const place = z.string().optional().describe("The folder to look in; the working directory by default.");

/** The real folder. Throws a `ToolFault` for what is outside or no folder. */
async function folderOf(given: string | undefined, { bench }: ToolCall): Promise<string> {
  const path = given === undefined ? bench.cwd : isAbsolute(given) ? given : join(bench.cwd, given);
  return bench.roots.folder(path).catch((error: Error) => {
    throw new ToolFault(`${given ?? path}: ${error.message.replace(/^Invalid path: /, "")}`);
  });
}

/** The files below a folder, by names in order; folders that hold no sources are left out unless they are asked for. */
async function* files(root: string, into: (name: string) => boolean, signal: AbortSignal): AsyncGenerator<string> {
  let seen = 0;
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const folders: string[] = [];
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (++seen > MAX_SEEN) return;
      const path = join(folder, entry.name);
      if (entry.isFile()) yield path;
      else if (entry.isDirectory() && into(entry.name)) folders.push(path);
    }
    waiting.push(...folders.toReversed());
  }
}

export const Glob = tool({
  name: "Glob",
  description: "Finds files of the workspace by their names; ** stands for any folders.",
  kind: "search",
  input: z.object({ pattern: z.string().min(1).max(1000).describe("Such as src/**/*.ts."), cwd: place }),
  title: (input) => `Glob ${input.pattern}`,
  async run({ pattern, cwd }, call): Promise<ToolEnd> {
    const root = await folderOf(cwd, call);
    const fits = globbed(pattern);
    await allowed(
      { name: "Glob", kind: "search", input: { pattern, cwd: root }, locations: [{ path: root }], confined: true },
      call,
    );
    const isShown = shownBy(root, false, call);
    const named = (name: string) => !SKIPPED.has(name) || pattern.split("/").includes(name);
    const found: string[] = [];
    for await (const path of files(root, named, call.signal)) {
      const name = relative(root, path);
      if (!fits(name) || !isShown(path)) continue;
      if (found.length === MAX_FILES) {
        found.push(`(more than ${MAX_FILES} files; make the pattern narrower)`);
        break;
      }
      found.push(name);
    }
    return { text: found.join("\n") || "(no files)" };
  },
});

const mode = z.enum(["content", "files_with_matches", "count"]);

export const Grep = tool({
  name: "Grep",
  description: "Finds lines in files of the workspace by a regular expression; gives file:line: text.",
  kind: "search",
  input: z.object({
    pattern: z.string().min(1).max(1000).describe("A regular expression (RE2)."),
    path: z.string().optional().describe("The file or folder to look in; the working directory by default."),
    glob: z.string().max(1000).optional().describe("Only files whose names match, such as **/*.ts."),
    output_mode: mode.optional().describe("content by default."),
    case_insensitive: z.boolean().optional(),
  }),
  title: (input) => `Grep ${input.pattern}`,
  async run({ pattern, path, glob, output_mode: output = "content", case_insensitive: any = false }, call) {
    const expression = compiled(pattern, any);
    const { root, candidates } = await placesOf(path, glob, call);
    await allowed(
      { name: "Grep", kind: "search", input: { pattern, path: root }, locations: [{ path: root }], confined: true },
      call,
    );
    const isShown = shownBy(root, true, call);
    const lines: string[] = [];
    let full = false;
    for await (const file of candidates) {
      if (full) break;
      if (!isShown(file)) continue;
      const name = relative(call.bench.cwd, file);
      const hits = matches(await textIn(file, call), expression);
      if (hits.length === 0) continue;
      const told = {
        content: () => hits.map(([number, line]) => `${name}:${number}: ${line.slice(0, MAX_LINE)}`),
        files_with_matches: () => [name],
        count: () => [`${name}: ${hits.length}`],
      }[output]();
      lines.push(...told);
      full = lines.length > MAX_LINES;
    }
    if (full) lines.splice(MAX_LINES, lines.length, `(more than ${MAX_LINES} lines; make the pattern narrower)`);
    return { text: lines.join("\n") || "(no matches)" };
  },
});

/** Whether the rules show a file below `root` (I4). `reads`: what is in it, not its name alone. */
function shownBy(root: string, reads: boolean, { bench: { rules, cwd } }: ToolCall): (path: string) => boolean {
  const said = (kind: ToolKind, path: string) =>
    rules({ name: "Search", kind, input: { path }, locations: [{ path }], confined: true });
  const wasAsked = said("search", root) === "ask";
  // Where no file may be read, that a search was allowed goes before it.
  const looksInside = reads && said("read", cwd) !== "deny";
  return (path) => {
    const policy = said("search", path);
    if (policy === "deny" || (policy === "ask" && !wasAsked)) return false;
    return !looksInside || said("read", path) !== "deny";
  };
}

function compiled(pattern: string, caseless: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, caseless ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    throw new ToolFault(`the pattern cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function placesOf(path: string | undefined, glob: string | undefined, call: ToolCall) {
  const { bench, signal } = call;
  const at = path === undefined ? bench.cwd : isAbsolute(path) ? path : join(bench.cwd, path);
  const root = await bench.roots.folder(at).catch(() => null);
  if (root === null) return { root: at, candidates: one(at) };
  const walked = files(root, (name) => !SKIPPED.has(name), signal);
  return { root, candidates: glob === undefined ? walked : filtered(walked, root, glob, globbed(glob)) };
}

async function* one(file: string): AsyncGenerator<string> {
  yield file;
}
async function* filtered(all: AsyncIterable<string>, root: string, glob: string, fits: (name: string) => boolean) {
  for await (const file of all) {
    const name = relative(root, file);
    // A pattern without a folder is about the file's own name.
    if (fits(name) || (!glob.includes("/") && fits(name.slice(name.lastIndexOf("/") + 1)))) yield file;
  }
}

function globbed(pattern: string): (name: string) => boolean {
  const glob = globHere(pattern);
  if (!glob.ok) throw new ToolFault(`the pattern cannot be used: ${glob.why}`);
  return glob.fits;
}

/** What is no text, too large, outside or secret has no lines. */
const textIn = (path: string, { bench, signal }: ToolCall): Promise<string> =>
  mayHoldSecret(path.slice(path.lastIndexOf("/") + 1))
    ? Promise.resolve("")
    : readTextFile(bench.roots, { path }, {}, signal).catch(() => "");

function matches(text: string, expression: RE2JS): [number: number, line: string][] {
  if (text === "" || text.includes("\0")) return [];
  return text
    .split("\n")
    .map((line, index): [number, string] => [index + 1, line])
    .filter(([, line]) => expression.matcher(line).find());
}
