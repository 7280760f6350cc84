/** The agents that a person owns, as they are listed and changed. */
import type { FileEdit } from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";
import type { Conversations } from "./conversations.ts";

export type * from "./conversations.ts";

/** Whether it could start here, and why not. */
export type AgentState =
  | { state: "ready" }
  /** It asks before it starts in this folder: nobody has agreed to it here, as it is now. */
  | { state: "needs approval"; why: string }
  | { state: "disabled" }
  | { state: "not found"; why: string }
  | { state: "lacks a value"; why: string };

/** Values of variables are never shown. `path`: the program that its command is now; null where there is none. */
export type OwnedAgent = {
  id: string;
  slug: string;
  name: string;
  formerly: string[];
  preset: string | null;
  file: string;
  command: string;
  path: string | null;
  args: string[];
  env: string[];
  cwd: string | null;
  files: "none" | "read" | "write";
  sandbox: "none" | "workspace";
  terminal: boolean;
  auth: string | null;
  mcpServers: string[];
  limits: { agentMs?: number; startMs?: number };
} & AgentState;
/**
 * What the user agreed to for good: the agent may start in the folder as it was shown. `here`: on this machine; elsewhere
 * it was agreed to, and counts for nothing here. `agent`: its slug now, or its id where it was removed.
 */
export type ApprovedAgent = { agent: string; id: string; cwd: string; at: number; here: boolean };
/** `shown`: all that is shown before a start. `digest`: of that. */
export type AgentLaunch = { agent: string; cwd: string; shown: { [name: string]: Json }; digest: string };
/** `at`: when, as it was written down; `formerly`: slugs that it had before. What it said stays in the log. */
export type GoneAgent = { id: string; slug: string; name: string; at: string; formerly?: string[] };
/** The agents that the user has, those that were removed, and what is odd about their files. */
export type OwnedAgents = { agents: OwnedAgent[]; removed: GoneAgent[]; warnings: string[] };
/** `program`: what it is called where it is installed. */
export type AgentPreset = { id: string; name: string; version: string; package: string; program: string | null };

/** What is run: a preset, an agent of a registry's file, or a command. */
export type AgentSource =
  | { from: "preset"; preset: string; installed: boolean }
  /** `file`: or a URL. `fetch`: an archive is fetched, which must have this SHA-256, or the one that the file pins. */
  | { from: "registry"; file: string; agent: string | null; installed: boolean; fetch?: { sha256?: string } }
  | { from: "command"; command: string; args: string[] };
/** An agent to be added. Without `files`, `sandbox` and `terminal` it gets none of them. */
export type NewAgent = {
  source: AgentSource;
  /** By default the preset's or the registry's id. */
  slug?: string;
  name?: string;
  /** That of one that was removed: its conversations and answers are this one's then. */
  id?: string;
  /** A text, or where its value comes from. */
  env?: { [name: string]: string | { from_env: string } | { secret_ref: { [attribute: string]: string } } };
  cwd?: string;
  files?: "none" | "read" | "write";
  sandbox?: "none" | "workspace";
  terminal?: boolean;
  auth?: string;
  mcpServers?: string[];
};

/**
 * An agent that a project proposes in its `.troupe/agents.yaml`. `entry`: as it would stand in the user's own file.
 * `digest`: of that. `isTaken`: the user has an agent of that name.
 */
export type ProposedAgent = {
  slug: string;
  why: string | null;
  file: string;
  entry: { [field: string]: Json };
  digest: string;
  isTaken: boolean;
};

/** Whether the agent wants to be signed in to; `unclear` where its answer does not say. */
export type SignIn = "not needed" | "needed" | "unclear";
/** What a start has shown. `signIn`: whether a session began. `knownFaults`: what is known to fail with this version. */
export type AgentHealth = { agent: string; program: string | null; sha256: string | null } & (
  | { ok: false; why: string }
  | {
      ok: true;
      name: string;
      version: string;
      protocolVersion: number;
      capabilities: { [name: string]: Json };
      signIn: SignIn;
      methods: string[];
      knownFaults: string[];
    }
);

/** `needsTerminal`: it runs the agent's program in a terminal of its own. */
export type LoginMethod = { id: string; name: string; description: string; needsTerminal: boolean };
/**
 * `method`: by its id; else the configured one, the only one, or the one that `choose` names. `starts` hears what is about
 * to take the terminal: the names of its variables, not their values.
 */
export type LoginOptions = {
  method?: string;
  /** Asks a person which way; null ends the sign-in. */
  choose: (methods: readonly LoginMethod[]) => Promise<string | null>;
  /** Hears of a program before it takes the terminal. */
  starts: (program: { argv: readonly string[]; variables: readonly string[] }) => void;
};
/** `method`: null where the agent offers none. `signIn`: whether a session began afterwards. */
export type LoginResult = { agent: string; method: string | null; signIn: SignIn };

/**
 * An answer for good about one call of an agent, in one session. `answer`: its name; `title`, `input`, `edits`: what was
 * asked. `until`: null for as long as the session.
 */
export type GivenAnswer = {
  answer: string;
  session: string;
  cwd: string;
  agent: string;
  allowed: boolean;
  title: string;
  tool?: string;
  input?: Json;
  edits?: FileEdit[];
  at: number;
  until: number | null;
};

/** The user's agents. Other callers are refused (USER.TRUST.NOT_YOURS). Only `examine` and `login` start anything. */
export interface Agents {
  /** All that stand in the user's files, and all that were removed. */
  list(): Promise<OwnedAgents>;
  /** By slug, former slug or id. Throws USER.AGENT.UNKNOWN. */
  show(name: string): Promise<OwnedAgent>;
  /** The known agents, each at an exact version. */
  presets(): readonly AgentPreset[];
  /** Throws USER.AGENT.EXISTS, USER.AGENT.PRESET, USER.CONFIG.INVALID, USER.AGENT.EDITED. */
  add(agent: NewAgent): Promise<{ agent: OwnedAgent; warnings: string[] }>;
  /** What a project proposes; none of it runs. Throws USER.CONFIG.INVALID where its file has a fault. */
  proposals(): Promise<ProposedAgent[]>;
  /**
   * Takes a proposal into the user's file, as it was shown, by another name where one is given. Throws
   * USER.AGENT.UNKNOWN, USER.AGENT.CONSENT_CHANGED where the project proposes something else by now, and as `add` does.
   */
  accept(
    proposal: Pick<ProposedAgent, "slug" | "digest">,
    as?: string,
  ): Promise<{ agent: OwnedAgent; warnings: string[] }>;
  /** Its id stays, and with it sessions, answers and consent; the old slug still names it. */
  rename(name: string, to: { slug?: string; name?: string }): Promise<OwnedAgent>;
  /** What it said stays in the log. */
  remove(name: string): Promise<GoneAgent>;
  /** Turns it on or off; while it is off, nothing starts it. Throws USER.AGENT.UNKNOWN. */
  enable(name: string, enabled: boolean): Promise<OwnedAgent>;
  /** Starts it, says hello, begins a session where it can, and ends it: no prompt is sent. */
  examine(name: string): Promise<AgentHealth>;
  /** Signs in to it by a way that it offers; no prompt is sent. Throws USER.AGENT.NOT_SIGNED_IN. */
  login(name: string, options: LoginOptions): Promise<LoginResult>;
  /** What may start without a question, agreed to last first. */
  approved(): Promise<ApprovedAgent[]>;
  /** What would be asked about in a step that brings no servers and no variables of its own. Throws USER.CLIENT.AGENT_NOT_FOUND. */
  launch(name: string): Promise<AgentLaunch>;
  /** Agrees for good to a launch as it was shown. Throws USER.AGENT.CONSENT_CHANGED where it is another by now. */
  approve(launch: AgentLaunch): Promise<ApprovedAgent>;
  /** Takes back what was agreed to, in one folder or in all. */
  revoke(name: string, cwd?: string): Promise<ApprovedAgent[]>;
  /** What was answered for good of calls of tools, and still counts. */
  answers(): Promise<GivenAnswer[]>;
  /**
   * Takes back one answer, by its name or six letters of it or more, or all about an agent; `cwd`: those of sessions there.
   * Throws USER.TRUST.UNKNOWN, USER.SESSION.BUSY_ELSEWHERE.
   */
  forget(name: string, cwd?: string): Promise<GivenAnswer[]>;
  /** What was and is said with them. */
  readonly conversations: Conversations;
}
