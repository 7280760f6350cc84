/**
 * What a server speaks over HTTP, loaded with the first request for it: who serves sockets alone does not pay for it.
 */

import { FirstUse } from "../acp/first-use.ts";
import type { Observed } from "../inspect/observed.ts";
import type { McpSettings } from "../mcp/settings.ts";
import type { ListenOptions, Mounting } from "../serve/listener.ts";
import { Quota } from "../serve/quota.ts";
import type { Route, Router } from "../serve/router.ts";

/** AWF's documents stand beside `/api`. */
const API = ["/api", "/openapi.json", "/docs"];
const ACP = "/acp";
const MCP = "/mcp";
const PAGE = "/page";
const SIGN_IN = "/page/session";

export type HttpOptions = {
  cwd: string;
  version: string;
  now: () => number;
  mcp: McpSettings;
  /** What the machines of this process do; null where inspection is off. */
  observed: Observed | null;
};
/** `readers`: the places of those who read a stream, of the API or of ACP, or wait for an answer of MCP. */
type Shared = HttpOptions & { readers: Quota };

/**
 * Mounts the API, the page, ACP's remote transport and MCP. A client that goes away ends its request, not the run that
 * it started.
 */
export const mountHttp =
  (options: HttpOptions): NonNullable<ListenOptions["mount"]> =>
  (router, served) => {
    const { readers: max, readersPerPrincipal: maxEach } = served.config.limits;
    const readers = new Quota({ max, maxEach });
    mountApi(router, served, { ...options, readers });
    mountPage(router, served);
    const ends = [mountAcp(router, served, { ...options, readers }), mountMcp(router, served, { ...options, readers })];
    return async () => void (await Promise.all(ends.map((end) => end())));
  };

/** The page, at `/`: its files need no token, what it asks of the API does. */
function mountPage(router: Router, { doors, signIns, port, config: { tokens, tls } }: Mounting): void {
  const loaded = new FirstUse(async () => {
    const { pageRoute } = await import("../page/site.ts");
    return pageRoute({ signIns, tokens, port, isSecure: tls !== null });
  });
  const files: Route = async (...asked) => (await loaded.get()).files(...asked);
  router.mountAlone("/", files, doors.files);
  router.mount(PAGE, files, doors.files);
  router.mountAlone(SIGN_IN, async (...asked) => (await loaded.get()).signIn(...asked), doors.signIn);
}

function mountApi(
  router: Router,
  { open, config: { limits } }: Mounting,
  { cwd, version, readers, observed }: Shared,
): void {
  const loaded = new FirstUse(async () => {
    const { apiRoute } = await import("./api.ts");
    return apiRoute({ open, cwd, version, limits, readers, observed });
  });
  const route: Route = async (...asked) => (await loaded.get())(...asked);
  for (const path of API) router.mount(path, route);
}

function mountAcp(
  router: Router,
  { open, config, ...offered }: Mounting,
  { version, now, readers }: Shared,
): () => Promise<void> {
  const { limits, defaultWorkflow } = config;
  const loaded = new FirstUse(async () => {
    const { acpRoute } = await import("./acp/route.ts");
    return acpRoute({
      open,
      now,
      readers,
      client: {
        ...offered,
        version,
        maxOpen: limits.requestsInFlight,
        graceMs: limits.disconnectGraceMs,
        ...(defaultWorkflow === null ? {} : { defaultWorkflow }),
      },
      limits,
    });
  });
  router.mountAlone(ACP, async (...asked) => (await loaded.get()).route(...asked));
  return async () => await (await loaded.made)?.close();
}

function mountMcp(
  router: Router,
  { open, config: { limits }, environment = {} }: Mounting,
  { cwd, version, mcp: settings, readers }: Shared,
): () => Promise<void> {
  const loaded = new FirstUse(async () => {
    const { mcpRoute } = await import("../mcp/route.ts");
    return mcpRoute({ open, cwd, environment, settings, version, limits, readers });
  });
  router.mountAlone(MCP, async (...asked) => (await loaded.get()).route(...asked));
  return async () => await (await loaded.made)?.close();
}
