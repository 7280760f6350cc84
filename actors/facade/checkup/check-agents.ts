/**
 * The agents that steps can name: the programs of providers, and those that the user owns.
 *
 * I1. No agent is started: a program is asked for its version, and whether its user is signed in where it can tell that
 *     at once. One of the user's own is not even that: it starts only as they have seen it.
 */
import { AGENT_PROGRAMS, type AgentProgram } from "../../agents/programs.ts";
import type { OwnedAgent } from "../../api/agents.ts";
import type { Check } from "../../api/checkup.ts";
import type { Environment } from "../../base/user-folders.ts";
import { knownFaults } from "../../config/agents/known-faults.ts";
import { closedPlaceOf, placeOf } from "../../preflight/installed.ts";
import { type SignInSeen, SignIns } from "../../preflight/signed-in.ts";
import { versionOf } from "./check-system.ts";

/** One check a provider that has a program. */
export async function checkPrograms(environment: Environment): Promise<Check[]> {
  const signIns = new SignIns(environment);
  const programs: { readonly [provider: string]: AgentProgram | null } = AGENT_PROGRAMS;
  return await Promise.all(
    Object.entries(programs).flatMap(([provider, program]) =>
      program === null ? [] : [checkProgram(provider, program, environment, signIns)],
    ),
  );
}

async function checkProgram(
  provider: string,
  program: AgentProgram,
  environment: Environment,
  signIns: SignIns,
): Promise<Check> {
  const check = { area: "agents", name: program.name } as const;
  const place = placeOf(program.command, environment["PATH"]);
  const closed = typeof place === "string" ? closedPlaceOf(program.command, environment["PATH"]) : null;
  if (closed !== null) {
    const says = `${closed} is there and may not be executed`;
    const facts = { provider, installed: false, path: closed };
    return { ...check, state: "warning", says, next: `chmod +x ${closed}`, facts };
  }
  if (typeof place === "string") {
    const says = `not installed: there is no "${program.command}" in PATH`;
    return { ...check, state: "absent", says, next: program.install, facts: { provider, installed: false } };
  }
  const [version, signIn] = await Promise.all([versionOf(place.path, environment), signIns.ask(program, place.path)]);
  const faults = version === null ? [] : knownFaults(program.name, version);
  const facts = { provider, installed: true, path: place.path, version, signIn, knownFaults: faults };
  const says = [version ?? "of no told version", WORDS[signIn], ...faults.map((fault) => `known: ${fault}`)].join("; ");
  if (signIn === "no") return { ...check, state: "warning", says, next: program.signIn, facts };
  return { ...check, state: faults.length > 0 || version === null ? "warning" : "good", says, next: null, facts };
}

const WORDS: { readonly [seen in SignInSeen]: string } = {
  no: "no one is signed in",
  "seems so": "a user seems to be signed in",
  "not told": "it does not say whether a user is signed in",
};

/** One check for each agent of the user's own. */
export function checkOwned(agents: readonly OwnedAgent[]): Check[] {
  return agents.map((agent) => {
    const { slug, state, path } = agent;
    const check = { area: "agents", name: slug, facts: { own: true, state, path } } as const;
    if (state === "ready")
      return { ...check, state: "good", says: `ready (${path ?? agent.command}); not started`, next: null };
    // No fault: a person is asked at its first start.
    if (state === "needs approval")
      return { ...check, state: "good", says: `asks you before it starts: ${agent.why}`, next: null };
    if (state === "disabled") return { ...check, state: "absent", says: "disabled", next: null };
    return { ...check, state: "warning", says: agent.why, next: `troupe agents show ${slug}` };
  });
}
