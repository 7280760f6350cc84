/**
 * What a server says to those who operate it, behind its gate: that it lives, that it can take work, its numbers.
 *
 * I1. `/healthz` answers as long as the process does. `/readyz` answers with 503 once the server ends, and where its store
 *     cannot be used or written.
 * I2. Numbers name workflows of everybody: they are for the user of the server alone.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { problemBody } from "./problem.ts";
import { type Route, type Router, refuse, refuseMethod } from "./router.ts";

export type OperatorOptions = {
  /** Looks into the store; throws what keeps it from being used. */
  look: () => Promise<unknown>;
  isClosing: () => boolean;
  /** The numbers as Prometheus reads them. */
  numbers: () => Promise<string>;
};

const PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
const JSON_TYPE = "application/json";

export function mountOperators(router: Router, { look, isClosing, numbers }: OperatorOptions): void {
  router.mountAlone(
    "/healthz",
    reading(async (_, response) => say(response, 200, JSON_TYPE, JSON.stringify({ status: "ok" }))),
  );
  router.mountAlone(
    "/readyz",
    reading(async (_, response) => {
      const fault = isClosing() ? notReady("USER.SERVE.CLOSING", "the server is ending") : await lookedAt(look);
      if (fault === null) return say(response, 200, JSON_TYPE, JSON.stringify({ status: "ready" }));
      say(response, 503, "application/problem+json", JSON.stringify(fault));
    }),
  );
  router.mountAlone(
    "/metrics",
    reading(async (_, response, subject) => {
      if (subject === null) return say(response, 200, PROMETHEUS, await numbers());
      refuse(response, 403, { code: "USER.SERVE.NOT_YOURS", message: "the numbers are for the user of this server" }); // I2
    }),
  );
}

const notReady = (code: string, why: string) => problemBody(code, 503, why);
async function lookedAt(look: () => Promise<unknown>): Promise<ReturnType<typeof notReady> | null> {
  try {
    await look();
    return null;
  } catch (error) {
    const { code = "SYSTEM.STORE.UNUSABLE", message } = error as NodeJS.ErrnoException;
    return notReady(code, message);
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse, subject: string | null) => Promise<void>;
const reading =
  (answer: Answer): Route =>
  (request, response, subject) => {
    if (request.method === "GET" || request.method === "HEAD")
      return void answer(request, response, subject).catch(() => response.destroy());
    refuseMethod(response, ["GET", "HEAD"]);
  };

function say(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
  response.end(response.req.method === "HEAD" ? undefined : text);
}
