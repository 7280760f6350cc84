/**
 * What `opencode` writes on standard error: its log, line by line, and words for a person.
 *
 * I1. The log says what the events do not: the conversation's id before the model is asked, and each request to the
 *     model that failed and is made again.
 */
import type { AgentErrorClass } from "../agent.ts";
import { NO_CREDIT } from "../status.ts";

const CREATED = / message=created id=(ses_\w+) /;
const FAILED = / message="stream error" .*small=false .*error\.error="((?:[^"\\]|\\.)*)/;
const LONGEST = 300;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal begin so.
const COLOURS = /\u001b\[[0-9;]*m/g;

export type LogLine =
  | { type: "created"; session: string }
  | { type: "failed"; message: string }
  | { type: "words"; text: string }
  | { type: "nothing" };

export function readLog(line: string): LogLine {
  if (!/^timestamp=\S+ level=/.test(line)) return { type: "words", text: line.replace(COLOURS, "").trim() };
  const session = CREATED.exec(line)?.[1];
  if (session !== undefined && line.includes(" parentID=undefined")) return { type: "created", session };
  const error = FAILED.exec(line)?.[1];
  return error === undefined ? { type: "nothing" } : { type: "failed", message: messageOf(error) };
}

const messageOf = (error: string): string =>
  error
    .replace(/\\(.)/g, "$1")
    .replace(/^AI_\w+: /, "")
    .slice(0, LONGEST);

/** The class of a failure that only has words. */
export function classOfWords(message: string): AgentErrorClass {
  if (/\b402\b/.test(message) || NO_CREDIT.test(message)) return "no_credit";
  if (/\b40[13]\b|unauthori[sz]ed|api.?key|authenticat|forbidden/i.test(message)) return "auth";
  if (/\b429\b|rate.?limit|too many requests|quota/i.test(message)) return "rate_limit";
  if (/\b(503|529)\b|overloaded/i.test(message)) return "overloaded";
  return "network";
}
