/** Spans on their way to a collector, in batches, over OTLP. */
import { type HrTime, SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import type { Resource } from "@opentelemetry/resources";
import { BatchSpanProcessor, type ReadableSpan } from "@opentelemetry/sdk-trace";
import type { TraceSpan } from "../../projections/spans/span.ts";

type SenderOptions = { resource: Resource; version: string; limits: { timeoutMillis?: number } };
export type Sender = { take(spans: readonly TraceSpan[]): void; end(): Promise<void> };

/** Where to, and how, the exporter reads from the variables of OTLP. */
export function spanSender({ resource, version, limits }: SenderOptions): Sender {
  const processor = new BatchSpanProcessor({ exporter: new OTLPTraceExporter(limits) });
  const scope = { name: "troupe", version };
  return {
    take: (spans) => {
      for (const span of spans) processor.onEnd(readable(span, resource, scope));
    },
    end: () => processor.shutdown(),
  };
}

function readable(span: TraceSpan, resource: Resource, scope: ReadableSpan["instrumentationScope"]): ReadableSpan {
  const { traceId, id, parent, name, startedAt, endedAt, attributes, error } = span;
  const context = (spanId: string) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });
  return {
    ...{ name, resource, instrumentationScope: scope, kind: SpanKind.INTERNAL, ended: true },
    ...{ links: [], events: [], droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
    spanContext: () => context(id),
    ...(parent === null ? {} : { parentSpanContext: { ...context(parent), isRemote: span.kind === "session" } }),
    startTime: timeOf(startedAt),
    endTime: timeOf(endedAt),
    duration: timeOf(endedAt - startedAt),
    attributes: error === null ? attributes : { ...attributes, "error.type": error.code },
    status: error === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error.message },
  };
}

/** Seconds and nanoseconds. */
const timeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];
