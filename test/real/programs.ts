/** The real agent programs that the tests run, and where they are kept: outside the tree, for all checkouts. */
import { homedir } from "node:os";
import { join } from "node:path";

export type Program = { name: string; package: string; version: string };

export const PROGRAMS: readonly Program[] = [
  { name: "claude", package: "@anthropic-ai/claude-code", version: "2.1.197" },
];

const CACHE =
  process.env["TROUPE_AGENTS_CACHE"] ??
  join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "troupe-test-agents");

export const folderOf = ({ name, version }: Program): string => join(CACHE, `${name}-${version}`);
export const binOf = (program: Program): string => join(folderOf(program), "node_modules", ".bin");

/** A PATH that finds the real programs first. */
export const PATH_WITH_AGENTS: string = [...PROGRAMS.map(binOf), process.env["PATH"] ?? ""].join(":");
