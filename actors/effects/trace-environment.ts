/** What the process of a step finds in its environment of the trace that it is part of. */
import type { WorkInput } from "../../machines/contracts.ts";
import { attemptSpan, traceIdOf, traceparentOf } from "../../machines/trace-context.ts";
import type { EffectOptions } from "./options.ts";

type Traced = Pick<WorkInput, "origin" | "attempt">;

/** `TRACEPARENT`, where this process reports its spans. */
export function traceEnvironment(
  { origin: { session, run, step }, attempt }: Traced,
  { tracing }: Pick<EffectOptions, "tracing">,
): { TRACEPARENT?: string } {
  if (tracing === undefined) return {};
  const traceId = traceIdOf(session, tracing);
  return { TRACEPARENT: traceparentOf({ traceId, spanId: attemptSpan(run, step, attempt) }) };
}

/** The same for who passes it on otherwise. */
export const traceparentIn = ({ TRACEPARENT: traceparent }: { TRACEPARENT?: string }): { traceparent?: string } =>
  traceparent === undefined ? {} : { traceparent };
