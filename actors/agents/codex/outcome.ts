/**
 * What a run of the `codex` program came to.
 *
 * I1. A turn that is neither completed nor failed has failed, whatever the exit code says.
 * I2. The program reports failures in words; their class is read from these.
 */
import type { End } from "../../process/spawn.ts";
import type { AgentErrorClass, AgentResult } from "../agent.ts";
import { endedEarly } from "../program.ts";
import { AGENT_PROGRAMS } from "../programs.ts";
import { classOfStatus, NO_CREDIT } from "../status.ts";
import type { CodexParser } from "./parser.ts";

type Read = Pick<CodexParser, "end" | "text" | "said" | "usage" | "error">;

export const NAME = AGENT_PROGRAMS.codex.name;

const WORDS: readonly (readonly [RegExp, AgentErrorClass])[] = [
  [NO_CREDIT, "no_credit"],
  [/plan and billing/, "no_credit"],
  [/waiting for network/, "network"],
  [/missing environment variable|not logged in|log in|login|api key|refresh token|unauthorized/i, "auth"],
  [/usage limit|rate limit|too many requests|quota/i, "rate_limit"],
  [/high demand|overloaded|at capacity/i, "overloaded"],
  [/stream disconnected|stream closed|idle timeout/i, "cut"],
  [/error sending request|connection|network|dns|timed? ?out/i, "network"],
  [/invalid_request_error|context window|not supported|content policy|unknown parameter/i, "refused"],
];

export function outcomeOf(read: Read, end: End, stderr: string): AgentResult {
  const { usage, said } = read;
  switch (read.end) {
    case "completed":
      return { status: "completed", text: read.text, usage };
    case "failed": {
      const message = read.error ?? "Codex gave no reason";
      return { status: "failed", class: classOf(message), message, text: said, usage };
    }
    case null:
      if (read.error !== null) {
        return { status: "failed", class: classOf(read.error), message: read.error, text: said, usage };
      }
      return { ...endedEarly(AGENT_PROGRAMS.codex, end, lastWords(stderr)), text: said, usage };
    default:
      return read.end satisfies never;
  }
}

/** The conversation that was to be resumed does not exist: nothing was asked of the model. */
export const isUnknownConversation = (read: Read, stderr: string): boolean =>
  read.end === null && stderr.includes("no rollout found");

function classOf(message: string): AgentErrorClass {
  const status = /(?:unexpected|last) status:? (\d{3})/.exec(message);
  if (status !== null) return classOfStatus(Number(status[1]));
  return WORDS.find(([words]) => words.test(message))?.[1] ?? "crashed";
}

/** The program warns of much that is not why it failed. */
const lastWords = (stderr: string): string =>
  stderr
    .split("\n")
    .filter((line) => !/^warning:/i.test(line))
    .join("\n")
    .trim();
