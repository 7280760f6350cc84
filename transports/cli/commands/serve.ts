/** `troupe serve`: ACP over WebSocket until a signal stops it. A fault of its configuration is one line. */
import { announcePage, projectFolder, servedPage, type Troupe } from "../../../actors/troupe.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { isAsPlanned, newsLines } from "../../../projections/terminal/schedules.ts";
import { ConfigFault, type OfferSettings as OfferFlags, offerOf } from "../../acp/config.ts";
import { PERMISSIVE } from "../../acp/offer.ts";
import { mountHttp } from "../../http/mount.ts";
import { type Inspected, type InspectFlags, inspectedBy } from "../../inspect/inspected.ts";
import { type McpServeFlags, serveSettingsOf } from "../../mcp/settings.ts";
import { type ServeConfig, type ServeFlags, serveConfig } from "../../serve/config.ts";
import { ServeFault } from "../../serve/fault.ts";
import { listen, type Serving } from "../../serve/listener.ts";
import { inTurns, type Log, type LogFlags, logFault, serverLog } from "../../serve/log.ts";
import { WatchedOver } from "../../serve/watched-over.ts";
import { giveBack } from "../give-back.ts";
import type { Io, TrustFlags } from "../io.ts";
import { openPage } from "../open-page.ts";
import { consoleTo } from "../quiet.ts";
import { tellUnknownAgents } from "../trusted-agents.ts";
import { version } from "../version.ts";

const FAULT = 1;
type Flags = ServeFlags &
  OfferFlags &
  InspectFlags &
  McpServeFlags &
  TrustFlags &
  LogFlags & { ephemeral?: boolean; engine?: string; open?: boolean; schedules?: boolean };

export async function serve(io: Io, flags: Flags): Promise<number> {
  const stopped = Promise.withResolvers<void>();
  let asked = 0;
  // Asked to end, it ends what it started first; asked twice, it ends at once.
  const forget = io.onStop((why) => {
    if (++asked > 1 && why !== "closed") io.exitNow(FAULT);
    stopped.resolve();
  });
  const log = serverLog({ ...flags, write: inTurns((text) => io.err(text)), safe: safeLine, now: () => io.now() });
  const restore = consoleTo((line) => log(line, "warn"));
  try {
    const serving = await start(io, flags, log);
    if (serving === null) return FAULT;
    // Who reads that it listens finds the page announced.
    const unsay = announced(io, serving, flags, log);
    log(`listening on ${serving.url} (pid ${process.pid})`);
    log(servedAt(serving.url));
    const stopSchedules = await scheduled(flags, serving, log);
    const closePage = flags.open === true ? openPage(io, serving.ticketed(), log) : () => undefined;
    await stopped.promise;
    closePage();
    await stopSchedules();
    unsay();
    await serving.close();
    return 0;
  } finally {
    restore();
    forget();
  }
}

/** Other processes of this user say where the page is, as long as it is there. One without a store has no runs of theirs. */
function announced(io: Io, { page }: Serving, { ephemeral }: Flags, log: Log): () => void {
  if (ephemeral === true) return () => undefined;
  try {
    return announcePage(io.env, page);
  } catch (error) {
    log(`other processes do not learn of the page: ${(error as Error).message}`, "warn");
    return () => undefined;
  }
}

/** With `--schedules`, what is due starts until the answer is called. */
async function scheduled(
  { schedules }: Flags,
  serving: Pick<Serving, "troupe" | "close">,
  log: Log,
): Promise<() => Promise<void>> {
  if (schedules !== true) return async () => undefined;
  try {
    const own: Troupe = await serving.troupe();
    const stop = await (await own.schedules()).serve((news) => {
      if (news.type === "ended") return; // said of every run
      for (const line of newsLines(news)) log(line, isAsPlanned(news) ? "info" : "warn");
    });
    log("schedules are served: troupe schedules list");
    return stop;
  } catch (error) {
    await serving.close();
    throw error;
  }
}

/** What there is beside the socket of ACP, with the addresses to open. */
function servedAt(url: string): string {
  const at = new URL("/", url.replace(/^ws/, "http")).href;
  return `the page of runs is at ${at}, the API at ${at}api/docs, MCP at ${at}mcp`;
}

async function start(io: Io, flags: Flags, log: Log): Promise<Serving | null> {
  const { ephemeral = false, trustAgent: trustAgents = [], engine } = flags;
  let inspected: Inspected | undefined;
  try {
    const mcp = serveSettingsOf(flags);
    const offer = { ...offerOf(io.env, flags), page: () => servedPage(io.env) };
    const config = serveConfig(flags);
    if (ephemeral && flags.schedules === true)
      throw new ServeFault(
        "USER.SERVE.SCHEDULES",
        "--schedules needs the store, where they are kept: leave --ephemeral out",
      );
    if (flags.engine !== undefined && flags.schedules === true)
      throw new ServeFault(
        "USER.SERVE.SCHEDULES",
        "--schedules has no --engine: schedules are of one machine, and several gateways would start a run each",
      );
    if (offer.permissionMode === "permissive") {
      if (!config.isLoopback)
        throw new ServeFault("USER.SERVE.PERMISSIVE", "--permission-mode permissive is for 127.0.0.1 alone");
      log(PERMISSIVE, "warn");
    }
    inspected = await inspectedServer(io, flags, { config, log });
    const { observed = null, inspect } = inspected ?? {};
    const on = engine === undefined ? {} : { engine };
    const opening = { ephemeral, trustAgents, ...on, ...(inspect === undefined ? {} : { inspect }) };
    const cwd = projectFolder(io.cwd);
    const mount = mountHttp({ cwd, version, now: () => performance.now(), mcp, observed });
    const watch = new WatchedOver(version, log);
    const serving = await listen({
      ...{ config, version, cwd, offer },
      environment: io.env,
      open: () =>
        watch.opened(async (report) => {
          const troupe = await io.open({ ...opening, report });
          await tellUnknownAgents(troupe, trustAgents, io.cwd, (line) => log(line, "warn"));
          return troupe;
        }),
      log,
      mount: (router, served) => {
        watch.mount(router, served);
        return mount(router, served);
      },
    });
    void watch.numbers();
    if (!ephemeral) void watch.look(io.env);
    giveBack();
    return {
      ...serving,
      close: async () => {
        await serving.close();
        await inspected?.end();
      },
    };
  } catch (error) {
    await inspected?.end();
    if (!(error instanceof ServeFault || error instanceof ConfigFault)) throw error;
    logFault(log, error);
    return null;
  }
}

/** Throws a `ServeFault`. */
async function inspectedServer(
  { env: environment, asks }: Io,
  flags: Flags,
  { config, log }: { config: ServeConfig; log: Log },
): Promise<Inspected | undefined> {
  if (!config.isLoopback && (flags.inspect === true || flags.inspectOrigin !== undefined))
    throw new ServeFault("USER.SERVE.INSPECT", "--inspect is for a server on 127.0.0.1 alone");
  return await inspectedBy(flags, {
    ...{ environment, asks, log },
    command: "troupe serve",
    isAnnounced: flags.ephemeral !== true,
  });
}
