/**
 * The trace that a session's work belongs to, as W3C's Trace Context names it. Ids follow from names: whoever knows a step
 * knows the span of its attempt, without asking anybody.
 *
 * I1. What another program has begun goes on in its trace, where it says which (`TRACEPARENT`).
 */
import { hashOf } from "./hash.ts";

/** `outer`: the span of who started this process; null where there is none. */
export type Tracing = { outer: TraceContext | null };
/** 32 and 16 digits of hex. */
export type TraceContext = { traceId: string; spanId: string };

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** What `TRACEPARENT` says; null where it says nothing that counts. */
export function traceContextOf(traceparent: string | undefined): TraceContext | null {
  const [, traceId = "", spanId = ""] = TRACEPARENT.exec(traceparent?.trim() ?? "") ?? [];
  return /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(spanId) ? { traceId, spanId } : null;
}
/** The same the other way: every span of ours is recorded. */
export const traceparentOf = ({ traceId, spanId }: TraceContext): string => `00-${traceId}-${spanId}-01`;

/** All of a session is one trace (I1). */
export const traceIdOf = (session: string, { outer }: Tracing): string =>
  outer?.traceId ?? hashOf(`trace ${session}`) + hashOf(`${session} trace`);

export const sessionSpan = (session: string): string => hashOf(`session ${session}`);
export const turnSpan = (turn: string): string => hashOf(`turn ${turn}`);
export const runSpan = (run: string): string => hashOf(`run ${run}`);
export const stepSpan = (run: string, path: string): string => hashOf(`step ${run} ${path}`);
export const attemptSpan = (run: string, path: string, attempt: number): string =>
  hashOf(`attempt ${run} ${path} ${attempt}`);
export const toolSpan = (run: string, path: string, call: string): string => hashOf(`tool ${run} ${path} ${call}`);
export const questionSpan = (question: string): string => hashOf(`question ${question}`);
