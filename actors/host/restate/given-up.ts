/**
 * What becomes of an event on which our own code breaks: the session keeps what it has, and goes on with the next one.
 *
 * I1. A row says so, with a code; who waits for the answer hears the same.
 * I2. A result of work that cannot be taken is a failure of that work, where its machine can hear that.
 * I3. A timer that cannot be taken is gone.
 */

import type { Row } from "../../../machines/exchange.ts";
import { randomWord } from "../../base/random.ts";
import type { Code } from "../../errors/codes.ts";
import { failure } from "../workers.ts";
import { unchanged } from "./outcomes.ts";
import type { NamedRow, Outcome, Post, Version } from "./protocol.ts";

export const EVENT_FAILED: Code = "SYSTEM.ENGINE.EVENT_FAILED";
type GivenUp = { post: Post; version: Version | null; words: string };

/** The result that its machine is told in place of one that could not be taken (I2). `words` hold no secret. */
export function failureOf({ post, words }: GivenUp, at: number): Post | null {
  if (post.is !== "work" || post.event === null) return null;
  const event = JSON.stringify(failure(post.which.id, { code: EVENT_FAILED, message: messageOf(post, words) }));
  return { ...post, rows: [{ row: JSON.stringify(noticeOf(post, words)), at }], event };
}

/** It changes nothing but what I1 and I3 say. */
export function givenUp({ post, version, words }: GivenUp, now: number): Outcome {
  const reply = { delivery: null, fault: messageOf(post, words) };
  if (version === null) return unchanged({ n: 0, stamp: "", seq: 0, at: 0 }, reply);
  const { n, seq, at } = version;
  const next: Version = {
    n: n + 1,
    stamp: randomWord(9, "base64url"),
    seq: seq + 1,
    at: Math.max(at, now),
  };
  const json = JSON.stringify(noticeOf(post, words));
  const row = { seq: next.seq, at: next.at, type: "notice", json } as const;
  const rows: NamedRow[] = post.is === "due" ? [[`timer ${post.key} ${post.id}`, null]] : [];
  return { ...unchanged(next, reply), rows, log: [row] };
}

const noticeOf = (post: Post, words: string): Row => ({
  type: "notice",
  payload: { severity: "error", code: EVENT_FAILED, message: messageOf(post, words) },
});
const messageOf = (post: Post, words: string): string =>
  `${nameOf(post)} could not be taken, and was given up: ${words}`;
function nameOf(post: Post): string {
  switch (post.is) {
    case "birth":
      return "a new session";
    case "mail":
      return `${/"type":"([\w.-]*)"/.exec(post.event)?.[1] ?? "an event"} for ${post.key}`;
    case "work":
      return `what ${post.which.id} of ${post.which.key} has said`;
    case "waits":
      return `that ${post.which.id} of ${post.which.key} waits`;
    case "due":
      return `a timer of ${post.key}`;
    default:
      return post satisfies never;
  }
}
