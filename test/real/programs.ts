/** The real agent programs that the tests run, and where they are kept: outside the tree, for all checkouts. */
import { homedir } from "node:os";
import { join } from "node:path";

export type Program = { name: string; package: string; version: string };

export const PROGRAMS: readonly Program[] = [
  { name: "claude", package: "@anthropic-ai/claude-code", version: "2.1.332" },
  { name: "codex", package: "@openai/codex", version: "0.171.0" },
  { name: "gemini", package: "@google/gemini-cli", version: "0.61.0" },
  { name: "copilot", package: "@github/copilot", version: "1.0.102" },
  { name: "opencode", package: "opencode-ai", version: "1.18.33" },
  { name: "claude-agent-acp", package: "@agentclientprotocol/claude-agent-acp", version: "0.100.0" },
  { name: "qwen", package: "@qwen-code/qwen-code", version: "0.24.4" },
  { name: "mcp-inspector", package: "@modelcontextprotocol/inspector", version: "2.12.0" },
  { name: "codex-acp", package: "@agentclientprotocol/codex-acp", version: "2.6.0" },
];

/** The oldest Node of each line that Troupe runs on (`node-version.ts`). No agent runs on them. */
export const OLD_NODES: readonly Program[] = ["22.20.0", "24.7.0"].map((version) => ({
  ...{ name: "node", package: "node", version },
}));

const CACHE =
  process.env["TROUPE_AGENTS_CACHE"] ??
  join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "troupe-test-agents");

/** It comes from PyPI. Where it cannot be installed, its tests are skipped. */
export const VIBE_VERSION = "2.26.1";
export const VIBE_BIN: string = join(CACHE, `vibe-${VIBE_VERSION}`, "bin");

export const folderOf = ({ name, version }: Program): string => join(CACHE, `${name}-${version}`);
export const binOf = (program: Program): string => join(folderOf(program), "node_modules", ".bin");

/** A PATH that finds the real programs first. */
export const PATH_WITH_AGENTS: string = [...PROGRAMS.map(binOf), VIBE_BIN, process.env["PATH"] ?? ""].join(":");
