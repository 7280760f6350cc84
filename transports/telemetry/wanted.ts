/**
 * Which of OpenTelemetry's signals are to be sent, by the usual variables. Nothing of OpenTelemetry is loaded for it.
 *
 * I1. Nothing is sent that nobody has asked for: without an endpoint, or an exporter by name, all is off.
 */
import type { Environment } from "../../actors/troupe.ts";

export type Signals = { traces: boolean; metrics: boolean };
const OFF: Signals = { traces: false, metrics: false };

/** What goes to a collector; null where nothing does. */
export function wantedSignals(environment: Environment): Signals | null {
  /** A variable of exporters may name several, with commas between them. */
  const names = (name: string, value: string): boolean =>
    (environment[name] ?? "").split(",").some((one) => one.trim().toLowerCase() === value);
  const has = (name: string): boolean => (environment[name] ?? "") !== "";
  if (names("OTEL_SDK_DISABLED", "true")) return null;
  const wants = (signal: "TRACES" | "METRICS"): boolean => {
    const exporter = `OTEL_${signal}_EXPORTER`;
    if (has(exporter)) return names(exporter, "otlp");
    return has("OTEL_EXPORTER_OTLP_ENDPOINT") || has(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`);
  };
  const signals = { ...OFF, traces: wants("TRACES"), metrics: wants("METRICS") };
  return signals.traces || signals.metrics ? signals : null;
}
