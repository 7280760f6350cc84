/**
 * What a run of the `opencode` program came to. It gives no result line: its last event and its end say it together.
 *
 * I1. Without a finished answer the run has failed, whatever the exit code says. After an error from which the program
 *     recovered that code is 1, and the answer counts.
 */

import { type Fields, fieldsAt, numberAt, textAt } from "../../base/json.ts";
import type { End } from "../../process/spawn.ts";
import type { AgentErrorClass, AgentResult } from "../agent.ts";
import { endedEarly } from "../program.ts";
import { AGENT_PROGRAMS } from "../programs.ts";
import { classOfStatus } from "../status.ts";
import { classOfWords } from "./log.ts";
import type { OpencodeParser } from "./parser.ts";

export const NAME = AGENT_PROGRAMS.opencode.name;

const KINDS: { readonly [name: string]: AgentErrorClass } = {
  ProviderAuthError: "auth",
  MessageOutputLengthError: "cut",
  MessageAbortedError: "cut",
  ContextOverflowError: "refused",
  ProviderModelNotFoundError: "refused",
};
/** Ends of the model's last round that are no answer. */
const SHORT: { readonly [reason: string]: { class: AgentErrorClass; message: string } } = {
  length: { class: "cut", message: "the model's answer was cut at its longest length" },
  "content-filter": { class: "refused", message: "the model refused to answer" },
  "tool-calls": { class: "cut", message: `${NAME} ended after a tool call, before the model answered` },
};

type Read = Pick<OpencodeParser, "said" | "answer" | "reason" | "error" | "hasRecovered" | "usage">;
/** The run was stopped because requests to the model failed too often. */
export type GaveUp = { message: string; retries: number } | null;

export function outcomeOf(read: Read, end: End, words: string, gaveUp: GaveUp): AgentResult {
  const { said: text, usage, error, reason } = read;
  const failed = (name: AgentErrorClass, message: string): AgentResult => {
    return { status: "failed", class: name, message, text, usage };
  };
  if (gaveUp !== null) {
    return failed(classOfWords(gaveUp.message), `${gaveUp.message} (given up after ${retries(gaveUp.retries)})`);
  }
  if (error !== null) return failed(classOf(error), messageOf(error));
  const isOver = end.type === "exited" && (end.code === 0 || read.hasRecovered);
  if (!isOver || reason === null) {
    return { ...endedEarly(AGENT_PROGRAMS.opencode, end, words), text, usage };
  }
  const short = Object.hasOwn(SHORT, reason) ? SHORT[reason] : undefined;
  if (short !== undefined) return failed(short.class, short.message);
  return { status: "completed", text: read.answer, usage };
}

const retries = (count: number): string => (count === 1 ? "1 retry" : `${count} retries`);

/** The session that was to be continued is not in the program's store: nothing was asked of the model. */
export const isUnknownSession = ({ reason }: Read, words: string): boolean =>
  reason === null && /Session not found/i.test(words);

function classOf(error: Fields): AgentErrorClass {
  const status = numberAt(fieldsAt(error, "data"), "statusCode");
  if (status !== null) return classOfStatus(status);
  const name = textAt(error, "name") ?? "";
  if (Object.hasOwn(KINDS, name)) return KINDS[name] ?? "crashed";
  return name === "APIError" ? classOfWords(messageOf(error)) : "crashed";
}

const messageOf = (error: Fields): string =>
  textAt(fieldsAt(error, "data"), "message") ?? textAt(error, "name") ?? `${NAME} ended with an error`;
