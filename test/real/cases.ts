/**
 * The cases that every real agent goes through, against the scripted model server.
 *
 * C1. Differences between agents follow from `Capabilities` alone, in both directions: an agent shows what it can do by
 *     the table, and nothing else.
 * C2. The model server's log proves what was sent.
 * C3. Once an agent has settled, nothing that it started is running.
 */
import { casesOf } from "./cases/case-place.ts";
import { endCases } from "./cases/ends.ts";
import { givenCases } from "./cases/given.ts";
import { turnCases } from "./cases/turn.ts";
import type { Subject } from "./subject.ts";

export function agentCases(subject: Subject): void {
  const cases = casesOf(subject);
  turnCases(cases);
  givenCases(cases);
  endCases(cases);
}
