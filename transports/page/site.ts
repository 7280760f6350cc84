/**
 * The page's files, and the sign-in of one page.
 *
 * I1. The page may load and run what this server gives it as a file, and nothing else: no script or style within a
 *     document, nothing of another host, no text as HTML.
 * I2. A sign-in asks for a ticket, or for a token where the server has tokens; where it asks for none, it asks
 *     the page for none either. What was given is never repeated.
 * I3. A browser asks each time, and is given a file again only where that has changed.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { troupeError } from "../../actors/troupe.ts";
import { bodyText, CutOff, TooLarge } from "../http/body.ts";
import { headerValues } from "../serve/hosts.ts";
import { cookieName } from "../serve/page-door.ts";
import { type Route, refuse, refuseMethod } from "../serve/router.ts";
import type { SignIns } from "../serve/sign-ins.ts";
import { type AccessToken, findToken, tokenOf } from "../serve/tokens.ts";
import { type PageFile, type PageFiles, pageFiles } from "./files.ts";

const MOST_BYTES = 4_096;
/** A socket of ACP may come to `/`, so that clients over HTTP try it there too. */
const ELSEWHERE = ": ACP over HTTP is at /acp, MCP at /mcp, the API at /api";
/** I1. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types lit-html",
].join("; ");
const HEADERS = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
};

export type SiteOptions = {
  signIns: SignIns;
  tokens: readonly AccessToken[] | null;
  port: () => number;
  isSecure: boolean;
  /** Read when it is asked for first. */
  files?: () => PageFiles;
};

/** What `/` and `/page` answer. */
export function pageRoute({ files = pageFiles, ...rest }: SiteOptions): { files: Route; signIn: Route } {
  let loaded: PageFiles | undefined;
  return {
    files: (request, response) => {
      try {
        loaded ??= files();
      } catch (error) {
        return refuse(response, 500, troupeError(error));
      }
      const path = (request.url ?? "/").split("?", 1)[0];
      const { html, script, style } = loaded;
      if (request.method !== "GET" && request.method !== "HEAD")
        return refuseMethod(response, ["GET", "HEAD"], path === "/" ? ELSEWHERE : "");
      if (path === "/") return give(request, response, "text/html", html);
      if (path === "/page/page.js") return give(request, response, "text/javascript", script);
      if (path === "/page/page.css") return give(request, response, "text/css", style);
      refuse(response, 404, { code: "USER.SERVE.NO_SUCH_PATH", message: "there is nothing here" });
    },
    signIn: (request, response) => void signIn(request, response, rest),
  };
}

/** I3. */
function give(request: IncomingMessage, response: ServerResponse, type: string, { text, etag }: PageFile): void {
  if (isKnown(request, etag)) return void response.writeHead(304, { ...HEADERS, etag }).end();
  response.writeHead(200, { ...HEADERS, "content-type": `${type}; charset=utf-8`, etag });
  response.end(request.method === "HEAD" ? undefined : text);
}

/** Whether who asks has the file already: a proxy that compresses may have made its tag a weak one. */
const isKnown = (request: IncomingMessage, etag: string): boolean =>
  headerValues(request, "if-none-match")
    .flatMap((value) => value.split(","))
    .some((one) => [etag, "*"].includes(one.trim().replace(/^W\//, "")));

async function signIn(
  request: Parameters<Route>[0],
  response: ServerResponse,
  { signIns, tokens, port, isSecure }: Omit<SiteOptions, "files">,
): Promise<void> {
  try {
    if (request.method !== "POST") return refuseMethod(response, ["POST"]);
    const whose = whoIs(ticketIn(await bodyText(request, MOST_BYTES)), tokenOf(request), { signIns, tokens });
    if (whose === undefined)
      return refuse(response, 401, {
        code: "USER.SERVE.UNAUTHORIZED",
        message: "this ticket or token is not valid: open the page by `troupe serve --open`, or give a token",
      });
    const { cookie, secret } = signIns.letIn(whose.subject, whose.token);
    const isOverTls = isSecure || headerValues(request, "origin")[0]?.startsWith("https:") === true;
    const flags = `Path=/; HttpOnly; SameSite=Strict${isOverTls ? "; Secure" : ""}`;
    response.writeHead(200, {
      ...HEADERS,
      "cache-control": "no-store",
      "content-type": "application/json",
      "set-cookie": `${cookieName(port())}=${cookie}; ${flags}`,
    });
    response.end(JSON.stringify({ secret, subject: whose.subject }));
  } catch (error) {
    if (error instanceof CutOff) return;
    const isLarge = error instanceof TooLarge;
    const code = isLarge ? "USER.PROMPT.TOO_LARGE" : "USER.SERVE.INVALID_REQUEST";
    refuse(response, isLarge ? 413 : 400, { code, message: 'expected a body like {"ticket": "…"}' });
  }
}

/** A subject of null is the user who runs the server; undefined is no one (I2). */
function whoIs(
  ticket: string | null,
  token: string | null,
  { signIns, tokens }: Pick<SiteOptions, "signIns" | "tokens">,
): { subject: string | null; token?: AccessToken } | undefined {
  if (ticket !== null) return signIns.redeem(ticket) ? { subject: null } : undefined;
  if (tokens === null) return { subject: null };
  const found = findToken(tokens, token);
  return found && { subject: found.subject, token: found };
}

/** Null where it names none. Throws a `SyntaxError`. */
function ticketIn(body: string): string | null {
  const value: unknown = body === "" ? {} : JSON.parse(body);
  const ticket = typeof value === "object" && value !== null && "ticket" in value ? value.ticket : null;
  if (ticket !== null && typeof ticket !== "string") throw new SyntaxError("expected a text");
  return ticket;
}
