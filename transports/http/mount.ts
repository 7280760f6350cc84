/**
 * What a server speaks over HTTP, loaded with the first request for it: who serves sockets alone does not pay for it.
 */

import type { Observed } from "../inspect/observed.ts";
import type { McpRoute } from "../mcp/route.ts";
import type { McpSettings } from "../mcp/settings.ts";
import type { pageRoute } from "../page/site.ts";
import type { ListenOptions, Mounting } from "../serve/listener.ts";
import { Quota } from "../serve/quota.ts";
import type { Route, Router } from "../serve/router.ts";
import type { AcpRoute } from "./acp/route.ts";

/** AWF's documents stand beside `/api`. */
const API = ["/api", "/openapi.json", "/docs"];
const ACP = "/acp";
const MCP = "/mcp";
const PAGE = ["/", "/page"];
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
  let loaded: Promise<ReturnType<typeof pageRoute>> | undefined;
  const load = (): Promise<ReturnType<typeof pageRoute>> => {
    loaded ??= import("../page/site.ts").then((site) =>
      site.pageRoute({ signIns, tokens, port, isSecure: tls !== null }),
    );
    return loaded;
  };
  const files: Route = async (request, response, subject) => (await load()).files(request, response, subject);
  for (const path of PAGE) router.mount(path, files, doors.files);
  router.mount(SIGN_IN, async (...asked) => (await load()).signIn(...asked), doors.signIn);
}

function mountApi(
  router: Router,
  { open, config: { limits } }: Mounting,
  { cwd, version, readers, observed }: Shared,
): void {
  let loaded: Promise<Route> | undefined;
  const route: Route = async (request, response, subject) => {
    loaded ??= import("./api.ts").then(({ apiRoute }) => apiRoute({ open, cwd, version, limits, readers, observed }));
    (await loaded)(request, response, subject);
  };
  for (const path of API) router.mount(path, route);
}

function mountAcp(
  router: Router,
  { open, config, ...offered }: Mounting,
  { version, now, readers }: Shared,
): () => Promise<void> {
  const { limits, defaultWorkflow } = config;
  let loaded: Promise<AcpRoute> | undefined;
  const load = async (): Promise<AcpRoute> => {
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
  };
  router.mount(ACP, async (request, response, subject) => {
    loaded ??= load();
    (await loaded).route(request, response, subject);
  });
  return async () => await (await loaded)?.close();
}

function mountMcp(
  router: Router,
  { open, config: { limits }, environment = {} }: Mounting,
  { cwd, version, mcp: settings, readers }: Shared,
): () => Promise<void> {
  let loaded: Promise<McpRoute> | undefined;
  const load = async (): Promise<McpRoute> => {
    const { mcpRoute } = await import("../mcp/route.ts");
    return mcpRoute({ open, cwd, environment, settings, version, limits, readers });
  };
  router.mount(MCP, async (request, response, subject) => {
    loaded ??= load();
    (await loaded).route(request, response, subject);
  });
  return async () => await (await loaded)?.close();
}
