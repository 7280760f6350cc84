/** Errors over HTTP as RFC 9457 has them, with our stable codes. */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

export const PROBLEM_TYPE = "application/problem+json";

/** `code` is stable; `detail` says what was expected and what to do. `errors` names fields, findings are a workflow's. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  details?: object;
  errors?: readonly object[];
};

/** A problem whose status is known. */
export const problemBody = (code: string, status: number, detail: string): Problem => ({
  type: `urn:troupe:error:${code}`,
  title: titleOf(code),
  status,
  detail,
  code,
});

/** `USER.RUN.NOT_FOUND` is "run not found". */
const titleOf = (code: string): string => code.split(".").slice(1).join(" ").replaceAll("_", " ").toLowerCase();

/** Answers with a problem where HTTP has no response to write to, and ends the connection. `headers`: more lines of its head. */
export function answerRaw(socket: Duplex, problem: Problem, headers: readonly string[] = []): void {
  const { status } = problem;
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    `Content-Type: ${PROBLEM_TYPE}`,
    "X-Content-Type-Options: nosniff",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
