/**
 * One process of an ACP agent and its client. What it says and asks goes to the turn that has it.
 *
 * I1. The argv is the file that was resolved and agreed to, and the configured arguments: nothing is added.
 * I2. Files and terminals are offered as the user configured it, and otherwise not at all. A write or a command that no
 *     question of this turn has covered is asked for; a write as the edit that it makes of the file as it is.
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
import type { Unknown } from "../../acp-client/wire.ts";
import type { Environment } from "../../base/user-folders.ts";
import type { AcpAgent } from "../../config/config.ts";
import { type SpawnOptions, spawnProcess } from "../../process/spawn.ts";
import type { AgentEvent, AgentRequest, ToolQuestion } from "../agent.ts";
import { handServers } from "./handed.ts";
import { type Granted, permission } from "./permission.ts";
import type { Argv } from "./sandbox.ts";
import { chosenMethod } from "./sign-in.ts";
import type { UpdateReader } from "./updates.ts";

const INFO = { name: "troupe", title: "Troupe", version: "0.1.0" };

/** What the process works for at the moment. */
export type AgentTurn = {
  session: string | null;
  ask: AgentRequest["ask"];
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
    return turn !== null && (turn.session === null || turn.session === sessionId) ? turn : null;
  };
  const made: { turn: AgentTurn | null } = { turn: null };
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
    signsInByTerminal: true,
    chooseAuth: (methods) => chosenMethod(methods, agent, made.turn?.signIn, new AbortController().signal),
    ...(agent.files === "none" ? {} : { files: filesFor(agent, () => made.turn) }),
    ...(agent.terminal ? { terminals: terminalsFor({ environment: env, boxed }, () => made.turn) } : {}),
  }).catch(async (error: unknown) => {
    await handed.close();
    throw error;
  });
  // One that ends by itself leaves no way behind.
  void client.ended.then(() => {
    frames?.end();
    return handed.close();
  });
  return Object.assign(made, {
    client,
    servers,
    sessions: new Map<string, AgentSession>(),
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
  const ask = async (
    question: Pick<ToolQuestion, "name" | "kind" | "edits"> & { path: string },
    signal: AbortSignal,
  ): Promise<boolean> => {
    const { path, ...rest } = question;
    const answer = await current()?.ask({ ...rest, input: { path }, locations: [{ path }] }, signal);
    return answer?.allowed === true;
  };
  return {
    write:
      agent.files === "read"
        ? ("deny" as const)
        : async (edit: FileEdit, signal: AbortSignal) => {
            const { path } = edit;
            if (current()?.granted.edit(edit) === true) return true;
            return ask({ name: "fs/write_text_file", kind: "edit", path, edits: [edit] }, signal);
          },
    written: (edit: FileEdit) => {
      const turn = current();
      for (const event of turn?.reader.written(edit) ?? []) turn?.emit(event);
    },
    editorWrite: () => current()?.editorWrite,
    readSecret: async (path: string, signal: AbortSignal) =>
      current()?.granted.file(path) === true || ask({ name: "fs/read_text_file", kind: "read", path }, signal),
  };
}

type Ran = { environment: { [name: string]: string }; boxed: (argv: Argv, cwd: string) => Argv };

function terminalsFor({ environment, boxed }: Ran, current: Current) {
  return {
    environment,
    spawn: (o: SpawnOptions) => spawnProcess({ ...o, argv: boxed(o.argv, o.cwd) }),
    mayRun: async (
      { command, args, cwd, env }: { command: string; args: readonly string[]; cwd: string; env: readonly string[] },
      signal: AbortSignal,
    ): Promise<boolean> => {
      const turn = current();
      if (turn === null) return false;
      if (turn.granted.command([command, ...args])) return true;
      const input = { command, args: [...args], cwd, env: [...env] };
      return (await turn.ask({ name: "terminal/create", kind: "execute", input }, signal)).allowed;
    },
  };
}
