/**
 * Consent: a program of the user's own starts only as a person has seen it.
 *
 * I1. An answer for good holds on this machine, for this agent, in this folder, while nothing of what was shown
 *     changes. One for this time holds in the run that asked, in this process.
 * I2. Only the user of this machine is asked. Without a user to ask, without an answer, and with any answer but yes, it
 *     is a no.
 * I3. What no longer is as it was when it was agreed to is asked again, with the names of what has changed.
 * I4. `trusted` names what the user let start beforehand, by slug or id: it is not asked and nothing is kept. Servers that
 *     are to be asked about are asked about all the same.
 */
import type { PermissionQuestion, PermissionSettled } from "../../../machines/contracts.ts";
import type { Json, Key } from "../../../machines/model.ts";
import type { AgentRequest, Launch } from "../../agents/agent.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { WorkContext } from "../../host/host.ts";
import type { KeptConsents } from "../../host/reads.ts";

export type Consents = {
  kept: KeptConsents;
  /** Which machine this is. */
  machine: string;
  trusted: readonly string[];
  /** Whether a session is the user's own. */
  isOwn: (session: Key) => boolean;
  now: () => number;
  /** Answers for this time, by run. */
  once: Map<string, Set<string>>;
};
type Approving = {
  run: string;
  consents: Consents | undefined;
  /** The time of an answer is not the agent's. */
  outside: <T>(asked: Promise<T>) => Promise<T>;
};
type Asking = Pick<WorkContext, "ask" | "session">;

/** Of runs that answers for this time are kept of. */
const MOST_RUNS = 1_000;
const ONCE = "once";
const ALWAYS = "always";
const NO_ANSWER: PermissionSettled = { outcome: "cancelled" };

/** The `approve` of a step's request. */
export function approver(context: Asking, { run, consents, outside }: Approving): NonNullable<AgentRequest["approve"]> {
  return async (launch, signal) => {
    if (consents === undefined) throw required(launch);
    const { kept, machine, trusted, isOwn, once, now } = consents;
    const { agent, slug, workspace: folder, digest } = launch;
    const isStart = launch.what === "start";
    if (isStart && (trusted.includes(slug) || trusted.includes(agent))) return;
    if (once.get(run)?.has(digest) === true) return;
    const keeper = isStart ? agent : serversOf(agent);
    const before = kept.find({ machine, agent: keeper, folder });
    if (before?.digest === digest) return;
    if (!isOwn(context.session)) throw required(launch);
    const question = questionOf(launch, before === undefined ? null : changedIn(before, launch.shown));
    const settled = await outside(context.ask(question, signal).catch(() => NO_ANSWER));
    if (settled.outcome === "cancelled") throw required(launch);
    switch (settled.option) {
      case ALWAYS:
        return kept.keep({ machine, agent: keeper, folder, digest, shown: JSON.stringify(launch.shown), at: now() });
      case ONCE:
        once.set(run, new Set(once.get(run)).add(digest));
        for (const oldest of [...once.keys()].slice(0, Math.max(0, once.size - MOST_RUNS))) once.delete(oldest);
        return;
      default: {
        const message = isStart
          ? `agent: you did not let "${slug}" start; run it again to be asked again`
          : `agent: you did not let "${slug}" have these servers`;
        throw new TroupeError("USER.AGENT.CONSENT_REFUSED", message, { agent });
      }
    }
  };
}

/** The name under which answers about an agent's servers are kept, and back from it. */
export const serversOf = (agent: string): string => `${agent}${SERVERS}`;
export const withoutServers = (keeper: string): string =>
  keeper.endsWith(SERVERS) ? keeper.slice(0, -SERVERS.length) : keeper;
const SERVERS = " servers";

function required({ agent, slug, workspace }: Launch): TroupeError {
  const message = `agent: "${slug}" may not start in ${workspace} before you agree, and there is no user to ask: start it once where you can answer, agree beforehand with troupe agents trust ${slug}, or let it start with --trust-agent ${slug}`;
  return new TroupeError("USER.AGENT.CONSENT_REQUIRED", message, { agent, cwd: workspace });
}

/** The names of what is no longer as it was when it was agreed to. */
export function changedIn(before: { shown: string }, shown: Launch["shown"]): string {
  const then = JSON.parse(before.shown) as Launch["shown"];
  const same = (name: string): boolean => JSON.stringify(then[name]) === JSON.stringify(shown[name]);
  const names = [...new Set([...Object.keys(then), ...Object.keys(shown)])];
  const changed = names.filter((name) => name !== "agent" && !same(name));
  return changed.length === 0 ? "an argument that is not shown" : changed.join(", ");
}

/** `changed`: null where nothing was agreed to before. */
function questionOf({ what, slug, workspace, shown }: Launch, changed: string | null): PermissionQuestion {
  const since = changed === null ? [] : [`Since you agreed to it, this has changed: ${changed}.`];
  if (what === "servers")
    return {
      title: `Pass these MCP servers on to the agent "${slug}" in ${workspace}?`,
      kind: "execute",
      message: ["It can call every tool of theirs. Without them it works all the same.", ...since].join(" "),
      options: [
        { id: ONCE, name: "Pass them on in this run", kind: "allow_once" },
        { id: ALWAYS, name: "Always here, as they are shown", kind: "allow_always" },
        { id: "refuse", name: "Do not pass them on", kind: "reject_once" },
      ],
      input: shown as Json,
      timeoutMs: null,
    };
  return {
    title: `Start the agent "${slug}" in ${workspace}?`,
    kind: "execute",
    message: [
      ...(shown["sandbox"] === undefined
        ? [
            "It runs with your rights: it can read, change and send whatever you can.",
            "With sandbox: workspace in its entry it could write this folder and nothing else.",
          ]
        : ["It runs with your rights, in a sandbox that keeps it from what is not said below."]),
      "What Troupe asks you later is only what it does through Troupe.",
      ...since,
    ].join(" "),
    options: [
      { id: ONCE, name: "Start it in this run", kind: "allow_once" },
      { id: ALWAYS, name: "Always here, as it is shown", kind: "allow_always" },
      { id: "refuse", name: "Do not start it", kind: "reject_once" },
    ],
    input: shown as Json,
    timeoutMs: null,
  };
}
