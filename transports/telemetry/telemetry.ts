/**
 * Spans and numbers of this process for a collector, as the variables of OpenTelemetry ask for it.
 *
 * I1. A collector that is away stops nothing: it is said once, and the end of a command waits END_MS for it at most.
 */
import { type DiagLogger, DiagLogLevel, diag } from "@opentelemetry/api";
import { type Environment, type Reporter, traceContextOf } from "../../actors/troupe.ts";
import type { TraceSpan } from "../../projections/spans/span.ts";
import { Metrics, otlpReader, PROCESS } from "./metrics.ts";
import { SpanReporting } from "./reporting.ts";
import { resourceOf } from "./resource.ts";
import { spanSender } from "./traces.ts";
import type { Signals } from "./wanted.ts";

const END_MS = 3_000;
/** Of one request, where `OTEL_EXPORTER_OTLP_TIMEOUT` says nothing: less than the end of a command waits. */
const REQUEST_MS = 2_500;
const LONGEST = 300;
const EVERY_MS = 60_000;
const MOST_EVERY_MS = 2 ** 31 - 1;

export type TelemetryOptions = {
  environment: Environment;
  version: string;
  /** Says what is wrong, in one line. */
  warn: (line: string) => void;
};

/** `signals` as `wantedSignals` answers them. */
export function openTelemetry(signals: Signals, { environment, version, warn }: TelemetryOptions): Reporter {
  diag.setLogger(saidOnce(warn), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const protocol = environment["OTEL_EXPORTER_OTLP_PROTOCOL"] || "http/protobuf";
  if (protocol !== "http/protobuf")
    warn(`OTEL_EXPORTER_OTLP_PROTOCOL: ${protocol} is not spoken; it is http/protobuf, most often on port 4318`);
  const tracing = { outer: traceContextOf(environment["TRACEPARENT"]) };
  const resource = resourceOf(version);
  const everyMs = intervalOf(environment["OTEL_METRIC_EXPORT_INTERVAL"]);
  const limits = environment["OTEL_EXPORTER_OTLP_TIMEOUT"] ? {} : { timeoutMillis: REQUEST_MS };
  const senders = [
    ...(signals.traces ? [spanSender({ resource, version, limits })] : []),
    ...(signals.metrics ? [new Metrics(resource, [otlpReader(everyMs, limits)], PROCESS)] : []),
  ];
  const { row } = new SpanReporting(tracing, (spans: readonly TraceSpan[]) => {
    for (const sender of senders) sender.take(spans);
  });
  const closed = async (): Promise<void> => {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, END_MS);
    await Promise.race([Promise.allSettled(senders.map((sender) => sender.end())), late.promise]); // I1
    clearTimeout(timer);
  };
  return { row, closed, ...(signals.traces ? { tracing } : {}) };
}

/** What no timer can be set for is as if it were not said: one that is too long would send without a pause. */
function intervalOf(given: string | undefined): number {
  const ms = Number(given);
  return ms > 0 && ms <= MOST_EVERY_MS ? ms : EVERY_MS;
}

/** Errors come as JSON, with their stack. */
function wordsOf(message: string): string {
  try {
    return String((JSON.parse(message) as { message?: unknown }).message ?? message);
  } catch {
    return message;
  }
}

/** What OpenTelemetry has to complain of, once a process: what was lost (I1), and apart from it what else it minds. */
function saidOnce(warn: (line: string) => void): DiagLogger {
  const say = (about: string): ((message: string) => void) => {
    let isSaid = false;
    return (message) => {
      if (isSaid) return;
      isSaid = true;
      const [first = ""] = wordsOf(message).split("\n", 1);
      warn(`${about}: ${first.slice(0, LONGEST)}`);
    };
  };
  const quiet = (): void => undefined;
  return {
    error: say("nothing was sent to OpenTelemetry's collector"),
    warn: say("OpenTelemetry minds something"),
    ...{ info: quiet, debug: quiet, verbose: quiet },
  };
}
