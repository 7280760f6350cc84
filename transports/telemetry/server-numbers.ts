/** The numbers of a server, for `/metrics`. */
import type { Reporter } from "../../actors/troupe.ts";
import { type Gauges, Metrics, PROCESS, ScrapedReader } from "./metrics.ts";
import { SpanReporting } from "./reporting.ts";
import { resourceOf } from "./resource.ts";

export type ServerNumbers = { row: Reporter["row"]; end: () => Promise<void>; text: () => Promise<string> };

/** `gauges`: what the server is at now. */
export function serverNumbers(version: string, gauges: Gauges): ServerNumbers {
  const reader = new ScrapedReader();
  const own: Gauges = {
    "troupe.turns.active": { about: "Prompts that are worked on", unit: "{turn}", now: () => reporting.open },
    ...gauges,
    ...PROCESS,
  };
  const metrics = new Metrics(resourceOf(version), [reader], own);
  const reporting = new SpanReporting({ outer: null }, metrics.take);
  return { row: reporting.row, end: () => metrics.end(), text: () => reader.text() };
}
