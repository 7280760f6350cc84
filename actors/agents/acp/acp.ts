/**
 * The provider `acp`: any agent that speaks ACP, as the user configured it.
 *
 * I1. What runs is the user's configuration alone; a workflow names an agent, and its settings; a project takes away.
 * I2. A new conversation's id is reported before anything is asked in it. An earlier one is resumed, or loaded with
 *     its replay left out; where neither is possible the step fails, and no other conversation takes its
 *     place but that of a later attempt which has the step's own prompt again.
 * I3. A program starts as the person has seen it, and not otherwise: what was resolved and shown is what is started.
 * I4. A process that ended its turn well waits for the next step of its session. After an abort or a failure it ends.
 */
import { createHash } from "node:crypto";
import type { Json } from "../../../machines/model.ts";
import { notReadWords } from "../../../machines/not-read.ts";
import { suggest } from "../../../machines/workflow/suggest.ts";
import { isClientError } from "../../acp-client/errors.ts";
import type { FramesLog } from "../../acp-client/frames/frames-log.ts";
import type { AgentSession } from "../../acp-client/session.ts";
import { TOOLS_SERVER } from "../../base/agent-names.ts";
import type { Environment } from "../../base/user-folders.ts";
import { agentNamed, removedNamed, removedText, slugsOf } from "../../config/agents/named.ts";
import { agentIn } from "../../config/agents/restricted.ts";
import type { AcpAgent, Config } from "../../config/config.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { traceMeta } from "../../mcp/trace-meta.ts";
import type { Agent, AgentEvent, AgentRequest, AgentResult, Launch } from "../agent.ts";
import { configuredEnvironment } from "../configured.ts";
import { wrongOption } from "../options.ts";
import { stopped } from "../program.ts";
import { failureOf, resultOf } from "./failure.ts";
import { Granted } from "./granted.ts";
import { agreedServers, launchOf } from "./launch.ts";
import { type AcpAgentOptions, checkedOptions } from "./options.ts";
import type { Pool } from "./pool.ts";
import { type AgentProcess, startAgent } from "./process.ts";
import { promptOf } from "./prompt.ts";
import { serversFor } from "./servers.ts";
import { settle } from "./settle.ts";
import { keepSpent, spentOn } from "./spent.ts";
import { tokensOf } from "./tokens.ts";
import { UpdateReader } from "./updates.ts";

export type AcpProviderOptions = {
  config: () => Config;
  /** With the values that stand in the user's store of secrets. */
  unlock?: (agent: AcpAgent) => Promise<AcpAgent>;
  pool: Pool<AgentProcess>;
  environment?: Environment;
  /** A log of the frames of steps, where one was asked for. H56. */
  frames?: () => FramesLog | null;
};
type Stage = {
  request: AgentRequest;
  agent: AcpAgent;
  options: AcpAgentOptions;
  emit: (event: AgentEvent) => void;
  signal: AbortSignal;
  reader: UpdateReader;
};

/** An agent that runs what `options.agent` names. */
export function acp({ config, unlock = async (agent) => agent, pool, environment, frames }: AcpProviderOptions): Agent {
  const run: Agent = async (request, emit, signal) => {
    const options = checkedOptions(request.options);
    const agent = agentIn(agentOf(options, config()), request.cwd);
    const given = { ...request.env, ...configuredEnvironment(request.options), ...agent.env };
    const reader = new UpdateReader();
    const stage = { request, agent, options, emit, signal, reader };
    if (signal.aborted) return stopped(agent.name);
    let purpose = "";
    let process: AgentProcess | null = null;
    try {
      const launch = launchOf(agent, request, given);
      const { approve } = request;
      if (approve === undefined) throw new Error(`there is no user to agree that ${agent.slug} may start`);
      await approve(launch, signal);
      const ask = (asked: Launch): Promise<void> => approve(asked, signal);
      const servers = await agreedServers(agent, request, ask, (message) => warn(emit, message));
      if (signal.aborted) return stopped(agent.name);
      const env = { ...given, ...(await unlock(agent)).env };
      purpose = purposeOf(agent, { ...request, mcpServers: servers }, env);
      const start = {
        agent,
        program: String(launch.shown["program"]),
        cwd: request.cwd,
        env,
        marker: request.warm.marker,
        servers,
        frames: () => frames?.()?.connection({ agent: agent.slug }) ?? null,
        environment: environment ?? request.env,
        signal,
      };
      process = pool.take(request.warm.session, purpose) ?? (await startAgent(start));
      const result = await turn(process, stage);
      if (result.status === "failed" || signal.aborted) await process.close();
      else await keep(process, purpose, request, pool);
      return result;
    } catch (error) {
      await process?.close();
      if (signal.aborted) return stopped(agent.name, reader.said);
      return { ...failureOf(error, agent), text: reader.answer };
    }
  };
  // What the agent itself takes it says when it starts; it is not asked before.
  const takes = { model: "model", effort: "thought_level" };
  return Object.assign(run, { content: ["image", "audio"] as const, takes, traced: true as const });
}

async function keep(
  process: AgentProcess,
  purpose: string,
  { mcpServers, warm: { session } }: AgentRequest,
  pool: Pool<AgentProcess>,
) {
  process.turn = null;
  // Troupe's own tools end with their step, and a conversation that knows them with it.
  if (mcpServers.some(({ name }) => name === TOOLS_SERVER)) return process.close();
  // Held for as long as the process lives: nothing of the step is in it.
  void process.client.ended.then(() => pool.forget(session, purpose, process));
  await pool.give(session, purpose, process);
}

function agentOf({ agent }: AcpAgentOptions, config: Config): AcpAgent {
  const names = slugsOf(config);
  const name = agent === undefined && names.length === 1 ? names[0] : agent;
  const known = names.length === 0 ? "none is configured; see troupe agents add" : `configured: ${names.join(", ")}`;
  if (typeof name !== "string") throw wrongOption("agent", `expected the name of an agent; ${known}`);
  const found = agentNamed(config, name);
  if (found !== undefined) return startable(found);
  const gone = removedNamed(config, name);
  if (gone !== undefined) throw wrongOption("agent", `${removedText(gone)}; ${known}`);
  const meant = suggest(name, names);
  const question = meant === null ? "" : `; did you mean "${meant}"?`;
  throw wrongOption("agent", `there is no agent "${name}"${question} ${known}`);
}

/** Throws USER.AGENT.DISABLED, or USER.CONFIG.INVALID where a variable that it needs is not set. */
export function startable(agent: AcpAgent): AcpAgent {
  const { slug, lacking, enabled } = agent;
  if (!enabled)
    throw new TroupeError("USER.AGENT.DISABLED", `agent: "${slug}" is disabled; troupe agents enable ${slug}`, {
      agent: slug,
    });
  const [missing] = Object.entries(lacking);
  if (missing === undefined) return agent;
  const [name, variable] = missing;
  const message = `agent: "${slug}" needs ${name} from the variable ${variable}, which is not set`;
  throw new TroupeError("USER.CONFIG.INVALID", message, { file: agent.file, variable });
}

/** Steps that ask for the same can be served by one process. Only a digest: values of variables may be secrets. */
function purposeOf(agent: AcpAgent, request: AgentRequest, env: { [name: string]: string }): string {
  const { cwd, directories = [], mcpServers } = request;
  const all = JSON.stringify([agent, cwd, directories, mcpServers, Object.entries(env).toSorted()]);
  return createHash("sha256").update(all).digest("hex");
}

async function turn(process: AgentProcess, stage: Stage): Promise<AgentResult> {
  const { request, agent, emit, signal, reader } = stage;
  process.turn = {
    session: null,
    ask: request.ask,
    rules: request.rules,
    signIn: request.signIn && ((methods) => request.signIn?.(methods, signal) ?? Promise.resolve(null)),
    editorWrite: request.editorWrite,
    emit,
    reader,
    granted: new Granted(request.cwd),
    onUpdate: (update) => {
      for (const event of reader.read(update)) emit(event);
    },
    onUnknown: (update) => {
      const unread = notReadWords(update);
      if (unread === null) emit({ type: "unknown", value: update as Json });
      else warn(emit, unread);
    },
  };
  if (request.ownTools === "replaced") warn(emit, "the agent keeps tools of its own too: ACP has no way to take them");
  const session = await abortable(opened(process, stage), signal);
  if (session === null) return stopped(agent.name);
  process.turn.session = session.id;
  process.sessions.set(session.id, session);
  const isKnown = session.id === request.conversation;
  const before = process.spent.get(session.id) ?? (isKnown ? await spentOn(session.id, request.memory) : 0);
  reader.goesOn(before);
  if (!isKnown) emit({ type: "conversation", id: session.id });
  for (const notice of (await abortable(settle(session, stage.options), signal)) ?? []) warn(emit, notice);
  const prompt = promptOf(request, session);
  const answer = await session.prompt(prompt, { signal, ...traceMeta(request.traceparent) }).finally(async () => {
    process.spent.set(session.id, reader.spent);
    if (reader.spent !== before) await keepSpent(session.id, reader.spent, request.memory);
  });
  for (const event of reader.end(await tokensOf(answer, process.client, session, request))) emit(event);
  if (signal.aborted) return stopped(agent.name, reader.said);
  return resultOf(answer.stopReason, reader.answer, agent.name);
}

/** What is asked of an agent before its turn cannot be cancelled there; its process ends instead. */
async function abortable<T>(asked: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const aborted = Promise.withResolvers<null>();
  const abort = () => aborted.resolve(null);
  signal.addEventListener("abort", abort, { once: true });
  asked.catch(() => undefined);
  try {
    return signal.aborted ? null : await Promise.race([asked, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function opened(process: AgentProcess, { request, agent, emit }: Stage): Promise<AgentSession> {
  const { client, sessions } = process;
  const { conversation, cwd, directories: additionalDirectories = [] } = request;
  const live = conversation === null ? undefined : sessions.get(conversation);
  if (live !== undefined) return live;
  const { servers: mcpServers, notices } = serversFor(process.servers, {
    takes: client.calls.agent.agentCapabilities?.mcpCapabilities,
    path: request.env["PATH"],
    file: agent.file,
  });
  for (const notice of notices) warn(emit, notice);
  if (additionalDirectories.length > 0 && !client.takesDirectories)
    warn(emit, `the agent takes no folder beside its own: it works without ${additionalDirectories.join(", ")}`);
  const place = { cwd, additionalDirectories, mcpServers };
  if (conversation === null) return client.newSession(place);
  const isReplaceable = request.anew !== undefined;
  if (isReplaceable && !client.opensEarlier) {
    warn(emit, "the agent cannot continue the conversation of the attempt before; another one begins");
    return client.newSession(place);
  }
  try {
    return await client.openSession(conversation, place);
  } catch (error) {
    // Only an attempt of this very step can have ended before the agent kept anything.
    if (!isReplaceable || !isClientError(error, "refused")) throw error;
    warn(emit, "the agent does not know the conversation of the attempt before; another one begins");
    return client.newSession(place);
  }
}

const warn = (emit: Stage["emit"], message: string) => emit({ type: "notice", severity: "warning", message });
