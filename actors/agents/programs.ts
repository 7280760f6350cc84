/**
 * The program behind each provider: its name, how to install it, how to sign in, and how it reports that no user is
 * signed in.
 */
import type { DescribedProvider } from "../../machines/workflow/providers.ts";
import type { SignInStatus } from "./sign-in.ts";

export type AgentProgram = {
  /** What it is called by people. */
  readonly name: string;
  /** What is looked for in PATH. */
  readonly command: string;
  /** The command that installs it. */
  readonly install: string;
  /** How a person signs in: a command of its own. */
  readonly signIn: string;
  /** Absent where the program has no sure and quick way to say it. */
  readonly status?: () => Promise<{ SIGN_IN: SignInStatus }>;
};

/** null: there is none, it is spoken to over the network. */
export const AGENT_PROGRAMS = {
  claude: {
    name: "Claude Code",
    command: "claude",
    install: "npm install -g @anthropic-ai/claude-code",
    signIn: "`claude auth login`, or set ANTHROPIC_API_KEY",
    status: () => import("./claude/sign-in.ts"),
  },
  codex: {
    name: "Codex",
    command: "codex",
    install: "npm install -g @openai/codex",
    signIn: "`codex login`",
    status: () => import("./codex/sign-in.ts"),
  },
  gemini: {
    name: "Gemini CLI",
    command: "gemini",
    install: "npm install -g @google/gemini-cli",
    signIn: "run `gemini` once and choose how, or set GEMINI_API_KEY",
  },
  github_copilot: {
    name: "Copilot",
    command: "copilot",
    install: "npm install -g @github/copilot",
    signIn: "`copilot login`",
  },
  opencode: {
    name: "OpenCode",
    command: "opencode",
    install: "npm install -g opencode-ai",
    signIn: "`opencode auth login`",
  },
  mistral_vibe: {
    name: "Mistral Vibe",
    command: "vibe",
    install: "pip install mistral-vibe",
    signIn: "`vibe --setup`, or set MISTRAL_API_KEY",
  },
  openai_compatible: null,
} as const satisfies { readonly [provider in DescribedProvider]: AgentProgram | null };
