/**
 * The composition root: machines, effects and a store behind one host, and what the facade's handles share.
 * Imported when the first session needs it, never before.
 */
import { hostname } from "node:os";
import type { Allowance } from "../../machines/budget/budget.ts";
import type { Inspect } from "../../machines/inspection.ts";
import { idOf, type Key, type Kind } from "../../machines/model.ts";
import { FramesLog } from "../acp-client/frames/frames-log.ts";
import { type Models, modelsWith } from "../agents/choices.ts";
import { agentPool, agentRegistry } from "../agents/registry.ts";
import type { Reporter } from "../api/reporter.ts";
import { type Attachments, openAttachments } from "../attachments/attachments.ts";
import type { Clock } from "../base/clock.ts";
import { granted } from "../base/editor-client.ts";
import { failpoint } from "../base/failpoint.ts";
import type { Ids } from "../base/ids.ts";
import type { Limits } from "../base/limits.ts";
import { userName } from "../base/user-name.ts";
import type { Workflows } from "../catalogue/catalogue.ts";
import { unlocked } from "../config/agents/secret-store.ts";
import { configReader, configuredBy } from "../config/config.ts";
import { configuredLimits } from "../config/search.ts";
import { type EffectOptions, effects } from "../effects/effects.ts";
import { RateLimits } from "../effects/rate-limits.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { Endings } from "../follow/endings.ts";
import type { Host, Work } from "../host/host.ts";
import { openHost } from "../host/open.ts";
import { type Mask, Masking } from "../masking/masking.ts";
import { secretsOf } from "../masking/secrets.ts";
import { openMemory } from "../memory/memory.ts";
import type { Preflight } from "../preflight/preflight.ts";
import { Guard } from "../process/guard.ts";
import { encodeIdentity, ownIdentity } from "../process/identity.ts";
import { sweep } from "../process/sweep.ts";
import type { PromptHost } from "../prompt/interpret.ts";
import { namedFilesOf } from "../trust/named-files.ts";
import { calleesOf, trustsIn, trustWork } from "../trust/trust.ts";
import { lastingOf } from "./committed.ts";
import { consentsOf } from "./consents.ts";
import { agentsWith, type Extensions, operationsWith } from "./extensions.ts";
import { type KeepingOptions, keepingOf } from "./keeping.ts";
import { leftIn } from "./left-turns.ts";
import { LiveSessions } from "./live-sessions.ts";
import { MACHINES } from "./machines.ts";
import { askAnew, openQuestions } from "./questions.ts";
import { Releases } from "./releases.ts";
import { reporting } from "./reporting.ts";
import { RunNews } from "./run-news.ts";
import { spentRowsOf } from "./spent-rows.ts";
import { storeFileOf } from "./store-file.ts";
import { workflowsIn } from "./workflows.ts";
import { writeFault } from "./write-fault.ts";

export type RuntimeOptions = KeepingOptions & {
  clock: Clock;
  ids: Ids;
  random: () => number;
  inspect?: Inspect;
  report?: Reporter;
  mask?: Mask;
  extensions: Extensions;
  machine?: string;
  trustAgents?: readonly string[];
  framesLog?: string;
  hearsCancels: boolean;
};
export type Runtime = {
  host: Host;
  catalogue: Workflows;
  preflight: Preflight;
  live: LiveSessions;
  releases: Releases;
  news: RunNews;
  endings: Endings;
  options: RuntimeOptions;
  user: string;
  askHost: PromptHost;
  mask: Mask;
  attachments: Attachments;
  /** Caps as configured; the default ones while the configuration has a fault. */
  limits: () => Limits;
  agents: Pick<EffectOptions, "agents" | "config">;
  guard: Guard;
  /** Sessions whose run was let go on in this process though its directory is not trusted any more. */
  lets: Set<Key>;
  /** What each of the user's runs may spend, as configured. */
  budget: () => Allowance | undefined;
  /** The models that a session can choose. */
  models: () => Models;
  /** Ends the agents that wait for a next step. */
  endAgents: () => Promise<void>;
  /** Resolves when what dead processes left running is gone. */
  swept: () => Promise<unknown>;
};

/** Opens the store and starts the host. Throws SYSTEM.STORE.UNUSABLE with the file's name. */
export function openRuntime(options: RuntimeOptions): Runtime {
  const { environment, clock, ids, random, inspect, extensions } = options;
  const storeFile = storeFileOf(environment);
  const live = new LiveSessions({
    clock,
    head: (session) => host.head(session),
    questions: (session) => openQuestions(host, session),
    end: (session, type) => void host.send(session, { type }).catch(() => undefined),
    askAnew: (session) => askAnew(host, session),
    left: leftIn(() => host),
    listen: () => host.listen(),
    takeIn: () => host.takeIn(),
    hearsCancels: options.hearsCancels,
  });
  const releases = new Releases();
  const news = new RunNews();
  const endings = new Endings((session) => host.sessions.has(session), clock);
  const pool = agentPool();
  const identity = encodeIdentity(ownIdentity());
  const report = options.report === undefined ? undefined : reporting(options.report, () => host);
  const mask = options.mask ?? new Masking(secretsOf(environment));
  const config = configReader(environment, mask);
  const host: Host = openHost(keepingOf(options, storeFile), {
    mask,
    clock,
    id: ids,
    onLeave: (session) => {
      releases.note(session);
      void pool.leave(session);
    },
    onTakeOver: () => {
      swept = sweep();
    },
    onRow: (session, exchange) => {
      live.note(session, exchange);
      news.note(session, exchange);
      report?.row(session, exchange);
    },
    onForeign: () => {
      endings.look();
      live.look();
      news.look();
    },
    onLost: (session) => {
      releases.note(session);
      const message = "another process took this session over: what ran of it here was given up";
      live.find(session)?.lose(new TroupeError("SYSTEM.SESSION.TAKEN_OVER", message, { session: idOf(session) }));
    },
    onWriteFailed: (error, sessions) => {
      const fault = writeFault(error, storeFile);
      report?.unwritten(fault);
      endings.fault(fault, (session) => sessions.has(session));
      live.fail(fault, sessions);
    },
    onFollowerFailed: (error) => process.emitWarning(error instanceof Error ? error : String(error)),
    failpoint: failpoint(environment["TROUPE_FAILPOINT"]),
    ...(inspect ? { inspect } : {}),
  });
  /**
   * Workflows and models are listed, also while the configuration has a fault: that is reported when a step needs it. An
   * editor is granted nothing then.
   */
  const configured = configuredBy(config);
  const limits = configuredLimits(configured);
  const user = userName();
  const attachments = openAttachments(host.attachments);
  const agents = {
    agents: agentsWith(
      extensions,
      agentRegistry({
        ...{ clock, config, pool, environment, frames: framesOf(options, mask) },
        unlock: (agent) => unlocked(agent, { environment, mask }),
      }),
    ),
    config,
  };
  const memory = openMemory(host.conversations, mask);
  const operations = operationsWith(extensions);
  const { catalogue, preflight } = workflowsIn({
    environment,
    clock,
    config,
    trusts: trustsIn(host.trust, environment),
    extensions,
    ephemeral: options.ephemeral,
  });
  for (const [kind, machine] of Object.entries(MACHINES)) host.machine(kind as Kind, machine);
  const works = effects({
    environment,
    owner: ownIdentity(),
    clock,
    random,
    newRun: () => ids("run"),
    ...agents,
    operations,
    mask,
    attachments,
    memory,
    consents: consentsOf(options, host, user),
    works: () => live.works(),
    spentRows: spentRowsOf(() => host),
    rateLimits: new RateLimits(clock),
    ...(options.report?.tracing === undefined ? {} : { tracing: options.report.tracing }),
    editor: (session) => granted(live.find(session)?.hands ?? null, configured().editor),
    sessionServers: (session) => lastingOf({ host }, session).setup.mcpServers,
    loadWorkflow: calleesOf(catalogue, host.trust, environment),
  });
  const guard = new Guard(identity);
  for (const [src, work] of Object.entries(works)) host.work(src, work);
  const named = namedFilesOf({ catalogue, environment, limits });
  host.work("trust", trustWork(host.trust, named, clock.now.bind(clock)) as Work);
  let swept: Promise<unknown> = sweep();
  return {
    host,
    catalogue,
    preflight,
    live,
    releases,
    news,
    endings,
    options,
    user,
    askHost: {
      user,
      hostname: hostname(),
      environment,
      named,
      clear: preflight.clear,
    },
    mask,
    attachments,
    limits,
    agents,
    guard,
    lets: new Set(),
    budget: () => configured().budget,
    models: () => modelsWith(configured().models ?? {}),
    endAgents: () => pool.close(),
    swept: () => swept,
  };
}

/** Opened by the first agent that speaks. */
function framesOf({ framesLog, clock }: RuntimeOptions, mask: Mask): () => FramesLog | null {
  let log: FramesLog | null = null;
  return () => {
    if (framesLog !== undefined) log ??= new FramesLog(framesLog, { mask, now: () => clock.now() });
    return log;
  };
}
