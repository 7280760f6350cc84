/**
 * Agents that are known, in the form of the ACP registry: each with the exact version that was tried with Troupe.
 *
 * I1. What switches a program to ACP stands in its own arguments; there is no flag that all take.
 */
import type { RegistryAgent } from "./registry.ts";

const npx = (
  id: string,
  name: string,
  at: { package: string; version: string; bin: string; args?: string[] },
): RegistryAgent => ({
  id,
  name,
  version: at.version,
  distribution: { npx: { package: `${at.package}@${at.version}`, args: at.args ?? [], bin: at.bin } },
});

export const PRESETS: readonly RegistryAgent[] = [
  npx("claude-agent-acp", "Claude Code (ACP)", {
    package: "@agentclientprotocol/claude-agent-acp",
    version: "0.100.0",
    bin: "claude-agent-acp",
  }),
  npx("codex-acp", "Codex (ACP)", { package: "@agentclientprotocol/codex-acp", version: "2.6.0", bin: "codex-acp" }),
  npx("gemini", "Gemini CLI", { package: "@google/gemini-cli", version: "0.61.0", bin: "gemini", args: ["--acp"] }),
  npx("opencode", "OpenCode", { package: "opencode-ai", version: "1.18.33", bin: "opencode", args: ["acp"] }),
  npx("copilot", "GitHub Copilot CLI", {
    package: "@github/copilot",
    version: "1.0.102",
    bin: "copilot",
    args: ["--acp", "--no-auto-update", "--disable-builtin-mcps"],
  }),
  npx("qwen", "Qwen Code", { package: "@qwen-code/qwen-code", version: "0.24.4", bin: "qwen", args: ["--acp"] }),
  {
    id: "vibe",
    name: "Mistral Vibe",
    version: "2.26.1",
    distribution: { uvx: { package: "mistral-vibe==2.26.1", args: [], bin: "vibe-acp" } },
  },
];
