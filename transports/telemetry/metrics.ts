/**
 * The numbers of a process: what its spans count and measure, and what it is at now.
 *
 * I1. Labels have few values: a hostile number of workflows ends in one series of OpenTelemetry's own (`otel.metric.overflow`).
 */
import type { Counter, Histogram } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  MeterProvider,
  type MetricData,
  MetricReader,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import { MEASURES, type MeasureName, measuresOf } from "../../projections/spans/measures.ts";
import type { TraceSpan } from "../../projections/spans/span.ts";

/** What can be asked at any time, by its name. */
export type Gauges = { [name: string]: { about: string; unit: string; now: () => number } };
/** Seconds: of a command, an agent, a run that waits for a person. */
const BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600, 14_400];

export class Metrics {
  readonly #provider: MeterProvider;
  readonly #instruments: { [name in MeasureName]: Pick<Counter, "add"> | Pick<Histogram, "record"> };

  constructor(resource: Resource, readers: MetricReader[], gauges: Gauges) {
    this.#provider = new MeterProvider({ resource, readers });
    const meter = this.#provider.getMeter("troupe");
    const made = Object.entries(MEASURES).map(([name, { unit, about }]) => {
      const options = { unit, description: about };
      if (unit !== "s") return [name, meter.createCounter(name, options)];
      return [name, meter.createHistogram(name, { ...options, advice: { explicitBucketBoundaries: BUCKETS } })];
    });
    this.#instruments = Object.fromEntries(made);
    for (const [name, { about, unit, now }] of Object.entries(gauges))
      meter
        .createObservableGauge(name, { description: about, unit })
        .addCallback((observed) => observed.observe(now()));
  }

  readonly take = (spans: readonly TraceSpan[]): void => {
    for (const { name, value, labels } of spans.flatMap(measuresOf)) {
      const instrument = this.#instruments[name];
      if ("add" in instrument) instrument.add(value, labels);
      else instrument.record(value, labels);
    }
  };
  end(): Promise<void> {
    return this.#provider.shutdown();
  }
}

/** To a collector, every `OTEL_METRIC_EXPORT_INTERVAL` milliseconds, and at the end. */
export const otlpReader = (everyMs: number, limits: { timeoutMillis?: number }): MetricReader =>
  new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(limits),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(everyMs, 30_000),
  });

/** For who asks: the numbers as Prometheus reads them. */
export class ScrapedReader extends MetricReader {
  readonly #serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  constructor() {
    super({ aggregationTemporalitySelector: () => AggregationTemporality.CUMULATIVE });
  }
  async text(): Promise<string> {
    const { resourceMetrics } = await this.collect();
    return this.#serializer.serialize(withUnits(resourceMetrics));
  }
  protected async onForceFlush(): Promise<void> {}
  protected async onShutdown(): Promise<void> {}
}

const SUFFIX: { [unit: string]: string } = { s: "_seconds", By: "_bytes" };
/** Prometheus has the unit in the name. */
function withUnits(all: ResourceMetrics): ResourceMetrics {
  const named = (descriptor: MetricData["descriptor"]): MetricData["descriptor"] => ({
    ...descriptor,
    name: descriptor.name + (SUFFIX[descriptor.unit] ?? ""),
  });
  const scopeMetrics = all.scopeMetrics.map(({ scope, metrics }) => ({
    scope,
    metrics: metrics.map((metric): MetricData => ({ ...metric, descriptor: named(metric.descriptor) })),
  }));
  return { ...all, scopeMetrics };
}

const start = Date.now() / 1_000 - process.uptime();

/** What a process is for its system. */
export const PROCESS: Gauges = {
  "process.start_time": { about: "When it began, in seconds since the epoch", unit: "s", now: () => start },
  "process.memory.usage": { about: "Memory it has", unit: "By", now: () => process.memoryUsage.rss() },
  "process.cpu.time": {
    about: "Processor time it took",
    unit: "s",
    now: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  },
};
