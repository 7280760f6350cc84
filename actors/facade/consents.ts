/** What the user has agreed to of agents, as steps of this process ask for it. */

import type { Clock } from "../base/clock.ts";
import type { Environment } from "../base/user-folders.ts";
import type { Consents } from "../effects/gate/approve.ts";
import type { Host } from "../host/host.ts";
import { machineId } from "../process/machine.ts";

/** Agents that start without a question, by slug or id, with commas between them. */
const TRUSTED_AGENTS = "TROUPE_TRUST_AGENTS";

type ConsentOptions = {
  machine?: string;
  trustAgents?: readonly string[];
  environment: Environment;
  clock: Pick<Clock, "now">;
};

/** The agents that the user's environment lets start. */
export const trustedIn = (environment: Environment): string[] =>
  (environment[TRUSTED_AGENTS] ?? "").split(",").filter((name) => name !== "");

export function consentsOf(
  { machine, trustAgents = [], environment, clock }: ConsentOptions,
  host: Pick<Host, "consents" | "sessions">,
  user: string,
): Consents {
  return {
    kept: host.consents,
    // It takes a digest to name the machine, and only agents ask for it.
    get machine() {
      return machine ?? machineId();
    },
    trusted: [...trustAgents, ...trustedIn(environment)],
    isOwn: (session) => host.sessions.find(session)?.principal === user,
    now: () => clock.now(),
    once: new Map(),
  };
}
