/**
 * The API on the standard Request and Response: endpoints become routes, whatever goes wrong becomes a problem.
 *
 * I1. A body is read up to a limit, but for a GET; one that is too deep or holds too much is not parsed.
 * I2. Every error has the one form of a problem: an unknown path, a wrong method and a fault of ours too.
 * I3. A query or a body that an endpoint does not take is refused: nothing that was asked for is passed over in silence.
 */
import type { IncomingMessage } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { z } from "zod";
import type { Troupe } from "../../actors/troupe.ts";
import { PROBLEM_TYPE, type Problem } from "../serve/problem.ts";
import { type FieldFault, shaped } from "../serve/shape.ts";
import { bodyFault, bodyText, CutOff, NoText, TooLarge } from "./body.ts";
import type { Endpoint, EndpointCall, Exchanged, Reply } from "./endpoint.ts";
import { answerOf, problem, problemOf } from "./problem.ts";

export type RequestContext = Exchanged & { troupe: () => Promise<Troupe>; subject: string | null; cwd: string };
type Env = { Bindings: RequestContext };
/** What a client may ask with where an endpoint is served: of a GET its head alone, too. */
const METHODS = { get: ["GET", "HEAD"], post: ["POST"], delete: ["DELETE"] } as const;
const NOTHING = z.strictObject({});
const JSON_TYPE = /^application\/json\s*(;|$)/i;
type Checked<T> = { ok: true; value: T } | { ok: false; problem: Problem };

/** An app without a socket: `fetch(request, asked)`. */
export function httpApp(endpoints: readonly Endpoint[], { maxBodyBytes }: { maxBodyBytes: number }): Hono<Env> {
  const app = new Hono<Env>();
  for (const one of endpoints) {
    app.on(one.method.toUpperCase(), one.path.replace(/\{(\w+)\}/g, ":$1"), async (c) => {
      const query = queryOf(one.query ?? NOTHING, new URL(c.req.url).searchParams);
      if (!query.ok) return answerOf(query.problem);
      const body =
        one.method === "get"
          ? { ok: true as const, value: undefined }
          : await bodyOf(one.body ?? NOTHING, c.env.request, maxBodyBytes);
      if (!body.ok) return answerOf(body.problem);
      const { troupe, subject, cwd } = c.env;
      const call: EndpointCall = {
        troupe: await troupe(),
        subject,
        cwd,
        params: c.req.param(),
        query: query.value,
        body: body.value,
        header: (name) => c.req.header(name),
      };
      const reply = await one.handle(call);
      if (!("stream" in reply)) return replied(reply);
      reply.stream(c.env);
      return RESPONSE_ALREADY_SENT;
    });
  }
  app.notFound((c) => {
    const methods = endpoints
      .filter(({ path }) => fits(path, c.req.path))
      .flatMap(({ method }) => METHODS[method])
      .sort();
    if (methods.length === 0)
      return answerOf(problem("USER.SERVE.NO_SUCH_PATH", "there is nothing here: see /api/docs"));
    const answer = answerOf(problem("USER.SERVE.METHOD", `expected ${methods.join(" or ")} here`));
    answer.headers.set("allow", methods.join(", "));
    return answer;
  });
  app.onError((error) => (error instanceof CutOff ? RESPONSE_ALREADY_SENT : answerOf(problemOf(error))));
  return app;
}

const fits = (path: string, asked: string): boolean =>
  new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`).test(asked);

function replied({ status, body, headers = {} }: Exclude<Reply, { stream: unknown }>): Response {
  if (body === undefined) return new Response(null, { status, headers });
  const type = status >= 400 ? PROBLEM_TYPE : "application/json";
  return new Response(JSON.stringify(body), { status, headers: { "content-type": type, ...headers } });
}

/** A parameter has one value: of two, which one counts would be a guess. */
function queryOf(schema: z.ZodType, given: URLSearchParams): Checked<unknown> {
  const twice = [...given.keys()].find((name) => given.getAll(name).length > 1);
  return twice === undefined
    ? checked(schema, Object.fromEntries(given), "query")
    : wrong([{ field: `query.${twice}`, message: "expected once" }]);
}

async function bodyOf(schema: z.ZodType, request: IncomingMessage, maxBytes: number): Promise<Checked<unknown>> {
  const text = await bodyText(request, maxBytes).catch((error: unknown) => {
    if (error instanceof TooLarge || error instanceof NoText) return error;
    throw error;
  });
  if (text instanceof TooLarge) return { ok: false, problem: problem("USER.PROMPT.TOO_LARGE", text.message) };
  if (text instanceof NoText) return { ok: false, problem: problem("USER.SERVE.INVALID_REQUEST", text.message) };
  // A page of another site may send other types without asking first.
  if (text !== "" && !JSON_TYPE.test(request.headers["content-type"] ?? ""))
    return { ok: false, problem: problem("USER.SERVE.MEDIA_TYPE", "expected Content-Type: application/json") };
  const fault = bodyFault(text);
  if (fault !== null) return { ok: false, problem: problem("USER.SERVE.INVALID_REQUEST", fault) };
  let value: unknown;
  try {
    value = text === "" ? {} : JSON.parse(text);
  } catch {
    return { ok: false, problem: problem("USER.SERVE.INVALID_REQUEST", "the body is no JSON") };
  }
  return checked(schema, value, "body");
}

function checked(schema: z.ZodType, value: unknown, where: "query" | "body"): Checked<unknown> {
  const found = shaped(schema, value, where);
  if (found.ok) return found;
  return wrong(found.faults);
}

function wrong(errors: readonly FieldFault[]): { ok: false; problem: Problem } {
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
  return { ok: false, problem: { ...problem("USER.SERVE.INVALID_REQUEST", detail), errors } };
}
