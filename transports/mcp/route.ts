/**
 * MCP over streamable HTTP at one path: the SDK's handler behind the server's gate of Host, Origin and token.
 *
 * I1. Each request is served as the one whose token opened the gate; nothing is kept between two of them.
 * I2. A client that hangs up cancels its call, as the protocol has it; an older one cancels by a message, too.
 * I3. A call may take long, and holds a connection: while a request is in work it has one of the places of streams.
 */
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Environment, Troupe } from "../../actors/troupe.ts";
import { FirstUse } from "../acp/first-use.ts";
import { CutOff } from "../http/body.ts";
import { whenClosed } from "../serve/closed.ts";
import type { ServeLimits } from "../serve/limits.ts";
import type { Quota } from "../serve/quota.ts";
import type { Route } from "../serve/router.ts";
import { announce } from "./announce.ts";
import { hostServer } from "./host-server.ts";
import { listeningFetch, refusal } from "./listening-fetch.ts";
import { OlderCancels } from "./older-cancels.ts";
import type { McpSettings } from "./settings.ts";

const TOO_MANY = "too many requests at once: see --limit readers";

/** Who does not send a body to its end has had an answer, or has gone. */
function cutOff(error: unknown): Response {
  if (error instanceof CutOff) return RESPONSE_ALREADY_SENT;
  throw error;
}

export type McpRouteOptions = {
  open: (subject: string | null) => Promise<Troupe>;
  /** Whose workflows are tools. */
  cwd: string;
  environment: Environment;
  settings: McpSettings;
  version: string;
  limits: Pick<ServeLimits, "bodyBytes" | "readers" | "heartbeatMs">;
  /** The places of those who read a stream. */
  readers: Quota;
};
export type McpRoute = { route: Route; close(): Promise<void> };

/** The route, and what ends its streams. */
export function mcpRoute({ open, cwd, environment, settings, version, limits, readers }: McpRouteOptions): McpRoute {
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
  const cancels = new OlderCancels();
  const watching = new FirstUse(async () => announce(await servedAs(null), () => handler.notify.toolsChanged()));
  return {
    route: (request, response, subject) => {
      watching.get().catch(() => undefined); // the request that comes with it says why
      const authInfo = { token: "", clientId: subject ?? "", scopes: [], extra: { subject } };
      const serve = async (one: Request, given = {}): Promise<Response> => {
        const giveBack = readers.take(subject ?? ""); // I3
        if (giveBack === null) return refusal(429, null, { code: -32_000, message: TOO_MANY });
        whenClosed(response, giveBack);
        return await handler.fetch(one, { ...given, authInfo });
      };
      const { answered, leave } = cancels.enter(subject);
      whenClosed(response, leave);
      const listening = { served: () => servedAs(subject), bodyBytes: limits.bodyBytes, answered };
      const answer = (one: Request): Promise<Response> => listeningFetch(serve, one, listening).catch(cutOff);
      return getRequestListener(answer, { overrideGlobalObjects: false })(request, response);
    },
    close: async () => {
      (await watching.made?.catch(() => undefined))?.();
      await handler.close();
    },
  };
}
