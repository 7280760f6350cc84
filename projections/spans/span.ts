/** A span as OpenTelemetry means it: something that took its time, and what it was part of. */
import type { ErrorFields } from "../../machines/exchange.ts";

export type Attributes = { [name: string]: string | number | boolean };
export type SpanKind = "session" | "turn" | "run" | "step" | "attempt" | "tool" | "permission" | "question";
/** Times are milliseconds since the epoch. `parent`: null for the first of its trace. */
export type TraceSpan = {
  traceId: string;
  id: string;
  parent: string | null;
  kind: SpanKind;
  name: string;
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  error: ErrorFields | null;
};
/** One that has not ended. */
export type OpenSpan = Omit<TraceSpan, "endedAt" | "error">;
