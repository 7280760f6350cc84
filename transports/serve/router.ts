/** Plain requests: each goes through the gate, then to the handler at its path. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AdmissionCheck } from "./admission.ts";
import { whenClosed } from "./closed.ts";
import { allowOrigin, answerPreflight, isPreflight } from "./cors.ts";
import type { Log } from "./log.ts";
import type { PageDoors } from "./page-door.ts";
import { PROBLEM_TYPE, problemBody } from "./problem.ts";
import type { TokenFile } from "./token-file.ts";

/** Answers a request that was let in; `subject` as in `Admission`. */
export type Route = (
  request: IncomingMessage,
  response: ServerResponse,
  subject: string | null,
) => void | Promise<void>;

type Hold = TokenFile["hold"];

type Mounted = { path: string; reach: "alone" | "below"; route: Route; door?: AdmissionCheck };

export class Router {
  readonly #gate: AdmissionCheck;
  readonly #askingGate: AdmissionCheck;
  readonly #refused: (what: string) => void;
  readonly #signedIn: PageDoors["signedIn"];
  readonly #log: Log;
  readonly #hold: Hold;
  readonly #routes: Mounted[] = [];
  /**
   * `askingGate`: the gate for a browser's question before a request, which carries no token. `refused` notes what was
   * refused. `signedIn`: lets in what the page asks. `log` is told of every request when it is over, without its query.
   * `hold`: what ends an answer where its token is taken out while it is given.
   */
  constructor(
    gate: AdmissionCheck,
    askingGate: AdmissionCheck,
    refused: (what: string) => void,
    signedIn: PageDoors["signedIn"] = () => undefined,
    log: Log = () => undefined,
    hold: Hold = () => () => undefined,
  ) {
    this.#gate = gate;
    this.#askingGate = askingGate;
    this.#refused = refused;
    this.#signedIn = signedIn;
    this.#log = log;
    this.#hold = hold;
  }

  /** The path itself and all below it; of two that fit the longer one is taken. `door`: asked in place of the gate. */
  mount(path: string, route: Route, door?: AdmissionCheck): void {
    this.#mount({ path, reach: "below", route, ...(door === undefined ? {} : { door }) });
  }
  /** The same for the path alone, also with a slash behind it: below it there is nothing. */
  mountAlone(path: string, route: Route, door?: AdmissionCheck): void {
    this.#mount({ path, reach: "alone", route, ...(door === undefined ? {} : { door }) });
  }
  #mount(mounted: Mounted): void {
    this.#routes.push(mounted);
    this.#routes.sort((a, b) => b.path.length - a.path.length);
  }

  /** For the server's `request` event. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader("x-content-type-options", "nosniff"); // what is JSON is not to be guessed a page
    const isAsking = isPreflight(request);
    const path = pathOf(request);
    const began = performance.now();
    whenClosed(response, () => {
      const ms = Math.round(performance.now() - began);
      this.#log("answered a request", "debug", { method: request.method ?? "", path, status: response.statusCode, ms });
    });
    const found = this.#routes.find((one) => reaches(one, path));
    const admission = isAsking
      ? this.#askingGate(request)
      : (found?.door?.(request) ?? this.#signedIn(request) ?? this.#gate(request));
    if (!admission.admitted) {
      this.#refused(`refused a request: ${admission.message}`);
      // The page of a listed origin is to learn that it is the token that counts no more.
      if (admission.status === 401 && this.#askingGate(request).admitted) allowOrigin(request, response);
      return refuse(response, admission.status, admission);
    }
    if (isAsking) return answerPreflight(request, response);
    if (admission.token !== undefined)
      whenClosed(
        response,
        this.#hold(admission.token, () => response.destroy()),
      );
    allowOrigin(request, response);
    const unreadable = unreadableIn(request);
    if (unreadable !== null) return refuse(response, 415, { code: "USER.SERVE.MEDIA_TYPE", message: unreadable });
    if (found !== undefined) return void this.#answer(found.route, request, response, admission.subject);
    refuse(response, 404, { code: "USER.SERVE.NO_SUCH_PATH", message: "there is nothing here" });
  }

  /** What a route throws is a fault of ours, of this request alone. */
  async #answer(route: Route, ...[request, response, subject]: Parameters<Route>): Promise<void> {
    try {
      await route(request, response, subject);
    } catch (error) {
      this.#log(`could not answer a request: ${(error as Error).message}`, "error", { path: pathOf(request) });
      if (response.headersSent) return void response.destroy();
      refuse(response, 500, {
        code: "SYSTEM.INTERNAL.UNMAPPED",
        message: "the server could not answer this: see its log",
      });
    }
  }
}

function reaches({ path: at, reach }: Mounted, path: string): boolean {
  if (path === at) return true;
  switch (reach) {
    case "alone":
      return at !== "/" && path === `${at}/`;
    case "below":
      return path.startsWith(`${at}/`);
    default:
      return reach satisfies never;
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** What is said of a body that is packed, or in letters other than UTF-8: nobody turns it around here. Null for every other. */
function unreadableIn({ method, headers }: IncomingMessage): string | null {
  if (method === "GET" || method === "HEAD") return null;
  const packing = (headers["content-encoding"] ?? "").trim().toLowerCase();
  if (packing !== "" && packing !== "identity")
    return "bodies are taken as they are: leave Content-Encoding out, and send the body unpacked";
  const [, charset = "utf-8"] = CHARSET.exec(headers["content-type"] ?? "") ?? [];
  return /^(utf-?8|us-ascii)$/i.test(charset) ? null : `bodies are UTF-8, not ${charset}: send the body in it`;
}

/** The path of a request, without its query. */
export const pathOf = ({ url = "/" }: Pick<IncomingMessage, "url">): string => url.split("?", 1)[0] as string;

/** Answers with an error as a problem. */
export function refuse(
  response: ServerResponse,
  status: number,
  { code, message, allow }: { code: string; message: string; allow?: readonly string[] },
): void {
  // HTTP/2 has no headers of a connection, and Node throws where they are to be sent there.
  const isHttp1 = response.req.httpVersionMajor === 1;
  response.writeHead(status, {
    "content-type": PROBLEM_TYPE,
    ...(isHttp1 ? { connection: "close" } : {}),
    ...(allow === undefined ? {} : { allow: allow.join(", ") }),
    ...(isHttp1 && status === 426 ? { upgrade: "websocket" } : {}),
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
  });
  response.end(JSON.stringify(problemBody(code, status, message)));
}

/** Answers a method that a path has not, with those that it has; `more`: what follows in its words. */
export const refuseMethod = (response: ServerResponse, allow: readonly string[], more = ""): void =>
  refuse(response, 405, { code: "USER.SERVE.METHOD", message: `expected ${allow.join(" or ")} here${more}`, allow });
