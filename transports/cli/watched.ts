/**
 * The page of one run, for as long as its command goes: `troupe run --watch`.
 *
 * I1. It listens on this machine alone, on a port of its own, and lets in only who has the ticket.
 * I2. Where a person runs the command, the page stays after the run's end until they stop it.
 */
import type { Troupe } from "../../actors/troupe.ts";
import { safeLine } from "../../projections/terminal/safe.ts";
import { mountHttp } from "../http/mount.ts";
import { settingsOf, TOOL_GROUPS, WAIT_S } from "../mcp/settings.ts";
import { serveConfig } from "../serve/config.ts";
import { listen } from "../serve/listener.ts";
import type { Io } from "./io.ts";
import { openPage } from "./open-page.ts";
import { version } from "./version.ts";

const LISTEN = { listen: "127.0.0.1:0", allowOrigin: [], allowHost: [], limit: {} };
const MCP = settingsOf({ tools: TOOL_GROUPS, allow: [], deny: [], wait: WAIT_S });

type WatchedPage = {
  /** Has the browser show a run. */
  show(run: string): void;
  /** The run has ended, or was left: resolves when the last reader has left (I2). */
  left(): Promise<void>;
  end(): Promise<void>;
};

/** Opens the server; throws a `ServeFault`. The Troupe stays the caller's, and is closed with the server. */
export async function watchedPage(io: Io, troupe: Troupe): Promise<WatchedPage> {
  const log = (line: string): void => io.err(`troupe: ${safeLine(line)}\n`);
  const { cwd } = io;
  const mount = mountHttp({ cwd, version, now: () => performance.now(), mcp: MCP, observed: null });
  const config = { ...serveConfig(LISTEN), tokens: [] };
  const serving = await listen({ config, version, cwd, environment: io.env, open: async () => troupe, log, mount });
  let close: () => void = () => undefined;
  return {
    show: (run) => {
      close = openPage(io, `${serving.ticketed()}/run/${encodeURIComponent(run)}`, log);
    },
    left: async () => {
      if (!io.asks) return;
      const stopped = Promise.withResolvers<void>();
      const forget = io.onStop(() => stopped.resolve());
      log("the page stays open until you stop this");
      await stopped.promise;
      forget();
    },
    end: async () => {
      close();
      await serving.close();
    },
  };
}
