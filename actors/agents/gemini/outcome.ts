/**
 * What a run of the `gemini` program came to.
 *
 * I1. Without a result the run has failed, whatever the exit code says: on a signal it is 0.
 * I2. The exit code of a model's failure is its HTTP status modulo 256; some failures of the program have one of their
 *     own; what else failed is reported in words.
 */

import { fieldsAt, textAt } from "../../base/json.ts";
import type { End } from "../../process/spawn.ts";
import type { AgentErrorClass, AgentResult } from "../agent.ts";
import { turnText } from "../paragraphs.ts";
import { endedEarly } from "../program.ts";
import { AGENT_PROGRAMS } from "../programs.ts";
import { classOfStatus } from "../status.ts";
import type { GeminiParser } from "./parser.ts";

type Read = Pick<GeminiParser, "result" | "text" | "said" | "usage">;
/** It was stopped after too many retries: the last failure. */
export type GaveUp = { status: number | null; message: string };

export const NAME = AGENT_PROGRAMS.gemini.name;

/** Its own exit codes: no login, no input that it takes, and the most turns that its settings allow. */
const CODES: { readonly [code: number]: AgentErrorClass } = { 41: "auth", 42: "refused", 53: "cut" };
const UNKNOWN = "Invalid session identifier";

const WORDS: readonly (readonly [RegExp, AgentErrorClass])[] = [
  [/auth|api key|credential|log ?in/i, "auth"],
  [/quota|rate limit|RESOURCE_EXHAUSTED/i, "rate_limit"],
  [/overloaded|UNAVAILABLE/i, "overloaded"],
  [/fetch failed|ECONN|network|timed? ?out|socket/i, "network"],
  [/INVALID_ARGUMENT|NOT_FOUND|safety|blocked/i, "refused"],
];

export function outcomeOf(read: Read, end: End, stderr: string, gaveUp: GaveUp | null): AgentResult {
  const { result, usage, said } = read;
  const failed = (name: AgentErrorClass, message: string): AgentResult => {
    return { status: "failed", class: name, message, text: said, usage };
  };
  if (gaveUp !== null) return failed(classOf(gaveUp.status, gaveUp.message), gaveUp.message);
  if (result !== null) {
    if (textAt(result, "status") === "success") return { status: "completed", text: turnText(read.text, said), usage };
    const message = textAt(fieldsAt(result, "error"), "message") ?? "Gemini CLI gave no reason";
    return failed(codeOf(end) ?? classOf(statusOf(end), message), message);
  }
  const words = lastWords(stderr);
  const code = codeOf(end);
  if (code !== null) return failed(code, words);
  return { ...endedEarly(AGENT_PROGRAMS.gemini, end, words), text: said, usage };
}

/** The conversation that was to be resumed does not exist: nothing was asked of the model. */
export const isUnknownConversation = (read: Read, stderr: string): boolean =>
  read.result === null && stderr.includes(UNKNOWN);

const codeOf = (end: End): AgentErrorClass | null => (end.type === "exited" ? (CODES[end.code] ?? null) : null);

const statusOf = (end: End): number | null => (end.type === "exited" && end.code >= 400 - 256 ? end.code + 256 : null);

function classOf(status: number | null, message: string): AgentErrorClass {
  if (status !== null) return classOfStatus(status);
  return WORDS.find(([words]) => words.test(message))?.[1] ?? "crashed";
}

/** The program warns of much that is not why it failed. */
const lastWords = (stderr: string): string =>
  stderr
    .split("\n")
    .filter((line) => !/^(Warning:|YOLO mode|Ripgrep|\[STARTUP\])/.test(line))
    .join("\n")
    .trim();
