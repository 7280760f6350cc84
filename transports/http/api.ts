/** The API of one server: endpoints, their documents, and the limits that they share. */
import { getRequestListener } from "@hono/node-server";
import type { Troupe } from "../../actors/troupe.ts";
import type { Observed } from "../inspect/observed.ts";
import type { ServeLimits } from "../serve/limits.ts";
import type { Quota } from "../serve/quota.ts";
import type { Route } from "../serve/router.ts";
import { httpApp, type RequestContext } from "./app.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { changes } from "./endpoints/changes.ts";
import { events } from "./endpoints/events.ts";
import { executions } from "./endpoints/executions.ts";
import { history } from "./endpoints/history.ts";
import { inspection } from "./endpoints/inspection.ts";
import { rows } from "./endpoints/rows.ts";
import { runs } from "./endpoints/runs.ts";
import { schedules } from "./endpoints/schedules.ts";
import { trust } from "./endpoints/trust.ts";
import { workflows } from "./endpoints/workflows.ts";
import { openapi } from "./openapi.ts";
import { page } from "./page.ts";

export type ApiOptions = {
  open: (subject: string | null) => Promise<Troupe>;
  /** Where workflows are looked for by default. */
  cwd: string;
  version: string;
  limits: Pick<ServeLimits, "heartbeatMs" | "stallMs" | "bodyBytes">;
  /** The places of those who read a stream. */
  readers: Quota;
  /** What the machines of this process do; null where inspection is off. */
  observed: Observed | null;
};

/** The API as a route. */
export function apiRoute({ open, cwd, version, limits, readers, observed }: ApiOptions): Route {
  const endpoints = [
    ...workflows,
    ...runs,
    ...rows,
    ...events(limits, readers),
    ...changes(limits, readers),
    ...inspection(observed, limits, readers),
    ...history,
    ...trust,
    ...schedules,
    ...executions,
  ];
  const app = httpApp([...endpoints, ...documents(endpoints, version)], { maxBodyBytes: limits.bodyBytes });
  return (request, response, subject) => {
    const asked: RequestContext = { request, response, cwd, subject, troupe: () => open(subject) };
    return getRequestListener((one) => app.fetch(one, asked), { overrideGlobalObjects: false })(request, response);
  };
}

function documents(endpoints: readonly Endpoint[], version: string): Endpoint[] {
  const document = openapi(endpoints, version);
  const html = page(endpoints, version);
  const one = (path: string, id: string, type: string, text: string): Endpoint =>
    endpoint({
      method: "get",
      path,
      id,
      tag: "Workflows",
      summary: "This documentation",
      answers: { 200: { description: "The document", type } },
      problems: [],
      handle: async () => ({
        stream: ({ response }) => {
          response.writeHead(200, {
            "content-type": type,
            "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
          });
          response.end(text);
        },
      }),
    });
  const json = `${JSON.stringify(document, null, 2)}\n`;
  return [
    one("/api/openapi.json", "openapi", "application/json", json),
    one("/openapi.json", "openapiForAwf", "application/json", json),
    one("/api/docs", "docs", "text/html; charset=utf-8", html),
    one("/docs", "docsForAwf", "text/html; charset=utf-8", html),
  ];
}
