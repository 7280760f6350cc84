/**
 * One process of an ACP agent and its client. What it says and asks goes to the turn that has it; what comes late of a
 * conversation before, to none.
 *
 * I1. The argv is the file that was resolved and agreed to, and the configured arguments: nothing is added.
 * I2. Files and terminals are offered as the user configured it, and otherwise not at all; to the conversation of the turn
 *     alone. A write or a command that no question of this turn has covered is asked for; a write as the edit that it makes
 *     of the file as it is.
 * I3. What a rule denies is not done, whatever a question has covered; a file is read where no rule speaks against it.
 */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { WireFrame } from "../../../machines/conversation/entry.ts";
import type { FileEdit } from "../../../machines/exchange.ts";
import type { McpServer } from "../../../machines/mcp/server.ts";
import type { HeardFrames } from "../../acp-client/frames/frames-log.ts";
import { openProcess } from "../../acp-client/process-channel.ts";
import type { AgentSession } from "../../acp-client/session.ts";
import { connectOnce, type SingleClient } from "../../acp-client/single.ts";
import { type Ear, tapped } from "../../acp-client/tap.ts";
import type { TerminalRequest } from "../../acp-client/terminals/terminals.ts";
import type { Unknown } from "../../acp-client/wire.ts";
import type { Environment } from "../../base/user-folders.ts";
import type { AcpAgent } from "../../config/config.ts";
import { type SpawnOptions, spawnProcess } from "../../process/spawn.ts";
import type { AgentEvent, AgentRequest, ToolQuestion } from "../agent.ts";
import type { Granted } from "./granted.ts";
import { handServers } from "./handed.ts";
import { permission } from "./permission.ts";
import type { Argv } from "./sandbox.ts";
import { chosenMethod } from "./sign-in.ts";
import type { UpdateReader } from "./updates.ts";

const INFO = { name: "troupe", title: "Troupe", version: "0.1.0" };

/** What the process works for at the moment. */
export type AgentTurn = {
  session: string | null;
  ask: AgentRequest["ask"];
  rules: AgentRequest["rules"];
  signIn?: AgentRequest["signIn"];
  editorWrite: AgentRequest["editorWrite"];
  emit: (event: AgentEvent) => void;
  reader: UpdateReader;
  granted: Granted;
  onUpdate: (update: SessionUpdate) => void;
  onUnknown: (update: Unknown) => void;
};
export type AgentProcess = {
  client: SingleClient;
  /** What its conversations are handed. */
  servers: readonly McpServer[];
  /** Conversations that are open in it. */
  sessions: Map<string, AgentSession>;
  /** What each has cost so far. */
  spent: Map<string, number>;
  turn: AgentTurn | null;
  close(): Promise<void>;
};

export type Start = {
  agent: AcpAgent;
  /** The file that its command was resolved to. */
  program: string;
  cwd: string;
  /** Hears every frame, where that is asked for. */
  frames?: () => HeardFrames | null;
  /** The MCP servers that are passed on to it. */
  servers?: readonly McpServer[];
  /** What it may write in a sandbox; `cwd` where it is left out. */
  workspace?: string;
  env: { [name: string]: string };
  marker: { readonly [name: string]: string };
  /** The user's own environment: where their folders and programs are. */
  environment: Environment;
  /** It is not wanted any more: a program that has not said hello yet ends. */
  signal?: AbortSignal;
};

/** Starts it and says hello. Throws a `ClientError`, or USER.AGENT.SANDBOX; nothing of it runs then. */
export async function startAgent(start: Start): Promise<AgentProcess> {
  const { agent, program, cwd, workspace = cwd, env, marker, environment } = start;
  const handed = await handServers(start.servers ?? [], { agent, cwd, workspace, environment, marker });
  const { boxed, servers } = handed;
  const runsIn = agent.cwd ?? cwd;
  const frames = start.frames?.() ?? null;
  const ears = frames === null ? [] : [earOf(frames)];
  const argv = boxed([program, ...agent.args], runsIn);
  const channel = tapped(openProcess({ argv, cwd: runsIn, env, marker }), ears);
  const mine = (sessionId: string): AgentTurn | null => {
    const { turn } = made;
    const isMine = turn?.session == null ? !sessions.has(sessionId) : turn.session === sessionId;
    return isMine ? turn : null;
  };
  const made: { turn: AgentTurn | null } = { turn: null };
  const sessions = new Map<string, AgentSession>();
  const abort = (): void => void channel.end();
  start.signal?.addEventListener("abort", abort, { once: true });
  if (start.signal?.aborted === true) abort();
  const client = await connectOnce(channel, {
    info: INFO,
    ...(agent.limits.startMs === undefined ? {} : { initializeTimeoutMs: agent.limits.startMs }),
    onUpdate: (update, { sessionId, isReplay }) => {
      if (!isReplay) mine(sessionId)?.onUpdate(update);
    },
    onUnknownUpdate: (update, { sessionId, isReplay }) => {
      if (!isReplay) mine(sessionId)?.onUnknown(update);
    },
    permission: async (request, signal) => {
      const turn = mine(request.sessionId);
      return turn === null ? null : permission(request, turn, signal);
    },
    isAtWork: (sessionId) => mine(sessionId) !== null,
    signsInByTerminal: true,
    chooseAuth: (methods) => chosenMethod(methods, agent, made.turn?.signIn, new AbortController().signal),
    ...(agent.files === "none" ? {} : { files: filesFor(agent, () => made.turn) }),
    ...(agent.terminal ? { terminals: terminalsFor({ environment: env, boxed }, () => made.turn) } : {}),
  })
    .catch(async (error: unknown) => {
      await handed.close();
      throw error;
    })
    .finally(() => start.signal?.removeEventListener("abort", abort));
  // One that ends by itself leaves no way behind.
  void client.ended.then(() => {
    frames?.end();
    return handed.close();
  });
  return Object.assign(made, {
    client,
    servers,
    sessions,
    spent: new Map<string, number>(),
    close: async () => {
      await client.close();
      await handed.close();
    },
  });
}

/** What cannot be written is no fault of the agent's. */
const earOf = (frames: HeardFrames): Ear => ({
  sent: (message) => frames.sent(message as WireFrame),
  got: (message) => frames.got(message as WireFrame),
  failed: (error) => process.emitWarning(error instanceof Error ? error : String(error)),
});

type Current = () => AgentTurn | null;

function filesFor(agent: AcpAgent, current: Current) {
  const write = async (edit: FileEdit, signal: AbortSignal): Promise<boolean> => {
    const turn = current();
    const { path } = edit;
    const question = { ...touching(path), name: "fs/write_text_file", kind: "edit", edits: [edit] } as const;
    return turn !== null && (isCovered(turn.granted.edit(edit), question, turn) || isAllowed(question, turn, signal));
  };
  return {
    write: agent.files === "read" ? ("deny" as const) : write,
    written: (edit: FileEdit) => {
      const turn = current();
      for (const event of turn?.reader.written(edit) ?? []) turn?.emit(event);
    },
    editorWrite: () => current()?.editorWrite,
    read: async (path: string, signal: AbortSignal): Promise<boolean> => {
      const turn = current();
      const question = { ...touching(path), ...READS, confined: true };
      return turn !== null && (turn.rules(question) === "allow" || isAllowed(question, turn, signal));
    },
    readSecret: async (path: string, signal: AbortSignal, given: string): Promise<boolean> => {
      const turn = current();
      const question = { ...touching(path, given), ...READS };
      return turn !== null && (isCovered(turn.granted.file(path), question, turn) || isAllowed(question, turn, signal));
    },
  };
}

const READS = { name: "fs/read_text_file", kind: "read" } as const;
const touching = (path: string, given = path): Pick<ToolQuestion, "input" | "locations"> => ({
  input: { path },
  locations: [...new Set([path, given])].map((one) => ({ path: one })),
});
/** I3. */
const isCovered = (isGranted: boolean, question: ToolQuestion, { rules }: AgentTurn): boolean =>
  isGranted && rules(question) !== "deny";
const isAllowed = async (question: ToolQuestion, { ask }: AgentTurn, signal: AbortSignal): Promise<boolean> =>
  (await ask(question, signal)).allowed;

type Ran = { environment: { [name: string]: string }; boxed: (argv: Argv, cwd: string) => Argv };

function terminalsFor({ environment, boxed }: Ran, current: Current) {
  return {
    environment,
    spawn: (o: SpawnOptions) => spawnProcess({ ...o, argv: boxed(o.argv, o.cwd) }),
    mayRun: async (request: TerminalRequest, signal: AbortSignal): Promise<boolean> => {
      const turn = current();
      const { command, args, cwd, env } = request;
      const input = { command, args: [...args], cwd, env: [...env] };
      const question = { name: "terminal/create", kind: "execute", input } as const;
      const isGranted = turn?.granted.command(request) === true;
      return turn !== null && (isCovered(isGranted, question, turn) || isAllowed(question, turn, signal));
    },
  };
}
