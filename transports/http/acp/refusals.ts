/**
 * What ACP over HTTP answers where it takes a request for none: a problem, as everywhere on this server.
 *
 * I1. An error that is a message of JSON-RPC stays one.
 */
import { troupeError } from "../../../actors/troupe.ts";
import { ID_FORM, isId } from "../../acp/request-gate.ts";
import { type Problem, problemBody } from "../../serve/problem.ts";
import { answerOf, problem } from "../problem.ts";

/** A no of ours: its code has the status. */
export const refusedAs = (code: string, detail: string): Response => answerOf(problem(code, detail));

/** A no whose status is another than its code has elsewhere. */
export const refusedWith = (status: number, code: string, detail: string, headers = {}): Response =>
  withHeaders(answerOf(problemBody(code, status, detail)), headers);

/** What was thrown, as an answer. */
export function refusedBy(error: unknown): Response {
  const { code, message } = troupeError(error);
  return refusedAs(code, message);
}

/** A first message with an id that none of our answers bears: the SDK would wait for one with it. Null for any other. */
export function unanswerable(body: string): Response | null {
  const message = messageIn(body);
  if (message?.method !== "initialize" || (message.id ?? null) === null || isId(message.id)) return null;
  return refusedAs("USER.SERVE.INVALID_REQUEST", ID_FORM);
}

function messageIn(body: string): { id?: unknown; method?: unknown } | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" ? value : null;
  } catch {
    return null; // the SDK says so
  }
}

/** The answer of the SDK's server, whose refusals are a line of text. */
export async function asProblem(answer: Response): Promise<Response> {
  const type = answer.headers.get("content-type") ?? "";
  if (answer.status < 400 || !type.startsWith("text/plain")) return answer;
  return answerOf(problemFor(answer.status, await answer.text()));
}

function problemFor(status: number, said: string): Problem {
  switch (status) {
    case 404:
      return problem("USER.SERVE.NO_SUCH_CONNECTION", NO_CONNECTION);
    case 406:
      return problemBody("USER.SERVE.INVALID_REQUEST", status, "a stream is asked for with Accept: text/event-stream");
    case 415:
      return problem("USER.SERVE.MEDIA_TYPE", "expected Content-Type: application/json");
    default:
      return problemBody("USER.SERVE.INVALID_REQUEST", status, HELP.get(said) ?? said);
  }
}

/** Clients know by the word "connection" that it is not one session that is unknown. */
export const NO_CONNECTION =
  "unknown Acp-Connection-Id: this connection has ended, or is another's; post initialize without it, then load the session";

/** What to do, by the SDK's words. */
const HELP: ReadonlyMap<string, string> = new Map([
  ["Outbound stream already has an active receiver", "this stream has a reader already: end that request first"],
  ["Invalid JSON", "the body is no JSON"],
  ["Invalid JSON-RPC message", "expected one message of JSON-RPC, as an object"],
  ["Missing Acp-Connection-Id", "expected Acp-Connection-Id: the answer to a POST of initialize brings it"],
  ["Missing Acp-Session-Id", "expected Acp-Session-Id: the session that the message belongs to"],
  ["Mismatched Acp-Session-Id", "Acp-Session-Id names another session than the message belongs to"],
  ["Initialize request must include an ID", "expected an id: initialize is a request"],
  [
    "Initialize not allowed on existing connection",
    "initialize was answered on this connection: post it without Acp-Connection-Id for another",
  ],
]);

function withHeaders(answer: Response, headers: { readonly [name: string]: string }): Response {
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}
