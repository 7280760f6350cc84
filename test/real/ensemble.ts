/**
 * `docs/examples/agents.yaml` in a house of its own. Each agent is configured as a user would, speaks only to the model
 * server, and has its own replies of the model.
 *
 * E1. One environment and one home for all, as on a user's machine.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type House, openHouse } from "../support/house.ts";
import type { ModelServer, Reply } from "../support/model-server/model-server.ts";
import type { Environment } from "./subject.ts";
import { claudeEnvironment } from "./subjects/claude.ts";
import { codexEnvironment, prepareCodexModel } from "./subjects/codex.ts";
import { geminiEnvironment, prepareGemini } from "./subjects/gemini.ts";
import { copilotEnvironment } from "./subjects/github-copilot.ts";
import { prepareVibe, vibeEnvironment } from "./subjects/mistral-vibe.ts";
import { opencodeEnvironment } from "./subjects/opencode.ts";
import { prepareQwen, qwenEnvironment } from "./subjects/qwen.ts";

export const WORKFLOW = "agents";
export const TASK = "Greet people by name";
const EXAMPLE = fileURLToPath(new URL("../../docs/examples/agents.yaml", import.meta.url));

/** The variables of one user for all agents (E1). */
export function ensembleEnvironment(server: { url: string }, home: string): Environment {
  const { GEMINI_CLI_TRUST_WORKSPACE: _, ...gemini } = geminiEnvironment(server, home);
  return {
    ...claudeEnvironment(server, home),
    ...codexEnvironment(server, home),
    ...gemini,
    ...copilotEnvironment(server, home),
    ...opencodeEnvironment(server, home),
    ...vibeEnvironment(server, home),
    ...qwenEnvironment(server, home),
    OPENAI_MODEL: "stub-model",
    TROUPE_TRUST: "1",
  };
}

/** The user's configuration for an agent that Troupe does not know. */
const CONFIG = {
  agents: {
    acp: {
      qwen: {
        command: "qwen",
        args: ["--acp", "--model=stub-model"],
        env: { OPENAI_BASE_URL: { from_env: "OPENAI_BASE_URL" }, OPENAI_API_KEY: { from_env: "OPENAI_API_KEY" } },
      },
    },
  },
  // No one can be asked.
  permissions: { allow: [{ kind: "read" }] },
};

/** `noVibe`: why Mistral Vibe is missing; then only its step is left out of the workflow. */
export function openEnsemble(server: { url: string }, noVibe: string | null): House {
  const house = openHouse([]);
  const home = house.env["HOME"] ?? "";
  for (const prepare of [prepareCodexModel, prepareGemini, prepareVibe, prepareQwen]) prepare(server, home);
  mkdirSync(join(home, ".config", "troupe"), { recursive: true });
  writeFileSync(join(home, ".config", "troupe", "config.yaml"), JSON.stringify(CONFIG));
  writeFileSync(join(house.cwd, ".troupe", "workflows", `${WORKFLOW}.yaml`), exampleFor(noVibe));
  Object.assign(house.env, ensembleEnvironment(server, home), { TROUPE_TRUST_AGENTS: "qwen" });
  return house;
}

function exampleFor(noVibe: string | null): string {
  const example = readFileSync(EXAMPLE, "utf8");
  if (noVibe === null) return example;
  const without = example
    .replace("on_success: document\n", "on_success: translate\n")
    .replace(/\n {2}document:\n(?: {4}.*\n)+/, "\n")
    .replace("{{.states.document.Output}}", "{{.states.question.Output}}");
  if (without.includes("mistral_vibe"))
    throw new Error("the example has changed: its step of Mistral Vibe was not found");
  return without;
}

type Part = { step: string; provider: string; replies: readonly Reply[]; says: string };
const USAGE: [number, number] = [100, 10];
export const TOKENS_OF_A_REPLY: number = USAGE[0] + USAGE[1];
function part(step: string, provider: string, ...replies: Reply[]): Part {
  const told = replies.map((reply) => ({ ...reply, usage: USAGE }));
  return { step, provider, replies: told, says: replies.at(-1)?.text ?? "" };
}
const calling = (name: string, args: object): Reply => ({ text: "I use a tool.", calls: [{ name, args }] });

/** The model's replies for each step, and the step's answer. */
export function partsFor(noVibe: string | null): Part[] {
  const parts = [
    part("plan", "claude", { think: "Where does it greet?", text: "1. Write greet.txt. 2. Read it." }),
    part("write", "codex", calling("exec_command", { cmd: "echo 'Hello, Ada' > greet.txt" }), {
      text: "It greets Ada.",
    }),
    part("review", "gemini", { text: '{"verdict": "rework", "remarks": "It greets one person only."}' }),
    part("rework", "codex", calling("exec_command", { cmd: "echo 'Hello, {name}' > greet.txt" }), {
      text: "It greets everybody.",
    }),
    part("test", "github_copilot", calling("bash", { command: "cat greet.txt", description: "Read it" }), {
      text: "It greets by name.",
    }),
    part("question", "opencode", { text: "Nobody thought of people without a name." }),
    part("document", "mistral_vibe", { text: "Troupe greets you by name. Without one it says hello." }),
    part("translate", "qwen", { text: "Troupe begroet je met je naam." }),
    part("announce", "openai_compatible", calling("Read", { path: "greet.txt" }), {
      text: "We greet you by name now.",
    }),
    part("sign_off", "claude", { text: "The plan is carried out." }),
  ];
  return noVibe === null ? parts : parts.filter(({ provider }) => provider !== "mistral_vibe");
}

export const queue = (server: ModelServer, parts: readonly Part[]): Promise<void> =>
  server.reply(...parts.flatMap(({ replies }) => replies));
