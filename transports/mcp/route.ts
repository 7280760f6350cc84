/**
 * MCP over streamable HTTP at one path: the SDK's handler behind the server's gate of Host, Origin and token.
 *
 * I1. Each request is served as the one whose token opened the gate; nothing is kept between two of them.
 * I2. A client that hangs up cancels its call, as the protocol has it.
 */
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Environment, Troupe } from "../../actors/troupe.ts";
import type { ServeLimits } from "../serve/limits.ts";
import type { Route } from "../serve/router.ts";
import { announce } from "./announce.ts";
import { hostServer } from "./host-server.ts";
import { listeningFetch } from "./listening-fetch.ts";
import type { McpSettings } from "./settings.ts";

export type McpRouteOptions = {
  open: (subject: string | null) => Promise<Troupe>;
  /** Whose workflows are tools. */
  cwd: string;
  environment: Environment;
  settings: McpSettings;
  version: string;
  limits: Pick<ServeLimits, "bodyBytes" | "readers" | "heartbeatMs">;
};
export type McpRoute = { route: Route; close(): Promise<void> };

/** The route, and what ends its streams. */
export function mcpRoute({ open, cwd, environment, settings, version, limits }: McpRouteOptions): McpRoute {
  const servedAs = async (subject: string | null) => ({
    ...{ troupe: await open(subject), cwd, environment, settings },
  });
  const handler = createMcpHandler(
    async ({ era, authInfo }) => {
      const served = await servedAs((authInfo?.extra?.["subject"] ?? null) as string | null);
      return await hostServer({ served, era, version });
    },
    { maxRequestBodySize: limits.bodyBytes, maxSubscriptions: limits.readers, keepAliveMs: limits.heartbeatMs },
  );
  let watching: Promise<() => void> | undefined;
  return {
    route: (request, response, subject) => {
      watching ??= servedAs(null).then((served) => announce(served, () => handler.notify.toolsChanged()));
      watching.catch(() => undefined); // the request that comes with it says why
      const authInfo = { token: "", clientId: subject ?? "", scopes: [], extra: { subject } };
      const serve = (one: Request, given = {}): Promise<Response> => handler.fetch(one, { ...given, authInfo });
      const listening = { served: () => servedAs(subject), bodyBytes: limits.bodyBytes };
      const answer = (one: Request): Promise<Response> => listeningFetch(serve, one, listening);
      void getRequestListener(answer, { overrideGlobalObjects: false })(request, response);
    },
    close: async () => {
      (await watching?.catch(() => undefined))?.();
      await handler.close();
    },
  };
}
