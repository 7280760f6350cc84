/** Who hears what a process does: whoever a command names, and a collector of OpenTelemetry where one is asked for. */
import type { Environment, Reporter } from "../../actors/troupe.ts";
import { wantedSignals } from "../telemetry/wanted.ts";
import { version } from "./version.ts";

/** Undefined where nobody is. OpenTelemetry is loaded only where its variables ask for it. */
export async function reporterWith(environment: Environment, own?: Reporter): Promise<Reporter | undefined> {
  const signals = wantedSignals(environment);
  if (signals === null) return own;
  const { openTelemetry } = await import("../telemetry/telemetry.ts");
  const warn = (line: string): void => void process.stderr.write(`troupe: ${line}\n`);
  const sent = openTelemetry(signals, { environment, version, warn });
  return own === undefined ? sent : both(own, sent);
}

const both = (own: Reporter, sent: Reporter): Reporter => ({
  row: (row, session) => {
    own.row(row, session);
    sent.row(row, session);
  },
  ...(own.unwritten === undefined ? {} : { unwritten: own.unwritten.bind(own) }),
  closed: async () => void (await Promise.all([own.closed(), sent.closed()])),
  ...(sent.tracing === undefined ? {} : { tracing: sent.tracing }),
});
