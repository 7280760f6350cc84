/** A process that is inspected: what its Troupe is opened with, where receivers find it, and its end. */

import type { Environment, Inspect } from "../../actors/troupe.ts";
import { originOf } from "../serve/config.ts";
import { Observed } from "./observed.ts";
import { openInspectionPort } from "./port.ts";

/** As given on the command line: `inspectOrigin` alone means `inspect` too. */
export type InspectFlags = { inspect?: boolean; inspectOrigin?: string };
export type Inspected = { observed: Observed; inspect: Inspect; end(): Promise<void> };
type Inspecting = {
  environment: Environment;
  /** What this process was started as, for `troupe inspect`. */
  command: string;
  /** False where nothing may be written: then only the log shows the address. */
  isAnnounced: boolean;
  /** Whether a person reads the log: only then the address is written there. */
  asks: boolean;
  log: (line: string) => void;
};

/** Undefined where inspection is off. Throws USER.SERVE.ORIGIN and USER.SERVE.LISTEN. */
export async function inspectedBy(
  { inspect = false, inspectOrigin }: InspectFlags,
  { environment, command, isAnnounced, asks, log }: Inspecting,
): Promise<Inspected | undefined> {
  if (!inspect && inspectOrigin === undefined) return undefined;
  const origin = inspectOrigin === undefined ? null : originOf(inspectOrigin, "--inspect-origin");
  const { announceInspection } = await import("../../actors/troupe.ts");
  const observed = new Observed();
  const port = await openInspectionPort({ observed, origin });
  const takeBack = isAnnounced ? announceInspection(environment, { command, address: port.address }) : () => undefined;
  log(asks || !isAnnounced ? `inspected at ${port.address}` : "inspected: `troupe inspect` shows where");
  return {
    observed,
    inspect: observed.hear,
    end: async () => {
      takeBack();
      await port.close();
    },
  };
}
