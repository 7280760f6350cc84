/**
 * What a run takes over of the one that it does again.
 *
 * I1. A result is taken over of a state that ran before the state that it begins with, and not again from there on: it is
 *     the one that the earlier run had then. What that one had taken over itself is taken over again.
 * I2. With `failed` it begins with the last step that did not end well, or before that with the first loop some of whose
 *     rounds did not, and runs only those again; with `from`, where that step was entered first, or with a round of a loop.
 */
import type { Earlier, TakenOver } from "../model.ts";
import { type Fault, own, type StateResults } from "../model.ts";
import type { RunReading } from "../run/reading.ts";
import { entered, labelOfRound, type RoundMeant, roundsMeant } from "./rounds.ts";
import type { Visit } from "./trail.ts";

/** Where a person wants to begin. */
export type Beginning = { at: "start" } | { at: "failed" } | { at: "step"; name: string };
type Found = { ok: true; taken: TakenOver } | { ok: false; fault: Fault };

export function takenOf(run: string, ended: RunReading, trail: readonly Visit[], where: Beginning): Found {
  switch (where.at) {
    case "start":
      return { ok: true, taken: { run, from: null, steps: [], states: {} } };
    case "step": {
      const index = trail.findIndex(({ name, path }) => name === where.name || path === where.name);
      if (index < 0) return fromRound(run, ended, trail, where.name);
      return { ok: true, taken: upTo(run, ended, trail, index) };
    }
    case "failed": {
      const failed = trail.findLastIndex(({ status }) => status !== "completed");
      const undone = Object.keys(ended.rests).map((loop) => trail.findLastIndex(({ name }) => name === loop));
      const visit = trail[Math.min(...[failed, ...undone].filter((index) => index >= 0))];
      if (visit === undefined)
        return fault(
          `nothing of run "${run}" failed: name a step to begin with (--from, from=step), or do all of it again`,
        );
      const earlier = earlierOf(ended, visit.name);
      const taken = upTo(run, ended, trail, trail.indexOf(visit));
      return { ok: true, taken: earlier === null ? taken : { ...taken, earlier } };
    }
    default:
      return where satisfies never;
  }
}

function fromRound(run: string, ended: RunReading, trail: readonly Visit[], asked: string): Found {
  const [meant, ...others] = roundsMeant(trail, asked);
  if (meant === undefined) return noStep(run, ended, trail, asked);
  if (others.length > 0) return nameOne(asked, [meant, ...others]);
  const round = labelOfRound(meant);
  const within = entered(ended, trail, meant);
  if (!within.ok) return fault(`it cannot begin with "${round}": ${within.why}; begin with "${meant.visit.name}"`);
  const taken = upTo(run, ended, trail, trail.indexOf(meant.visit));
  return { ok: true, taken: { ...taken, round, earlier: within.earlier } };
}

function nameOne(asked: string, rounds: readonly RoundMeant[]): Found {
  const [first = "", second = ""] = rounds.map(labelOfRound);
  const more = rounds.length > 2 ? ", …" : "";
  const how = `name one, as --from '${first}' or from="${first}"`;
  return fault(`"${asked}" names ${rounds.length} rounds (${first}, ${second}${more}): ${how}`);
}

function upTo(run: string, { states, taken: own }: RunReading, trail: readonly Visit[], index: number): TakenOver {
  const after = new Set(trail.slice(index).flatMap(({ names }) => [...names]));
  const before = trail.slice(0, index);
  const isKept = (name: string): boolean => !after.has(name);
  const names = new Set(
    [...Object.keys(own?.states ?? {}), ...before.flatMap((visit) => [...visit.names])].filter(isKept),
  );
  const steps = new Set([...(own?.steps ?? []), ...before.map(({ name }) => name)].filter(isKept));
  const kept: StateResults = Object.fromEntries(Object.entries(states).filter(([name]) => names.has(name)));
  return { run, from: trail[index]?.name ?? null, steps: [...steps], states: kept };
}

function earlierOf({ rests, states }: RunReading, loop: string): Earlier | null {
  const rest = own(rests, loop);
  return rest === undefined ? null : { rest, rounds: own(states, loop)?.Rounds ?? [] };
}

const fault = (message: string): Found => ({ ok: false, fault: { code: "USER.RUN.NOT_RERUNNABLE", message } });
function noStep(run: string, { taken }: RunReading, trail: readonly Visit[], asked: string): Found {
  const went = [...new Set(trail.map(({ name }) => name))].slice(0, 20).join(", ");
  const below = "a step below one of these is run again with it, or with its round";
  const earlier =
    taken === undefined ? "" : `; it took over what run "${taken.run}" had done: see that one for the rest`;
  return fault(
    `run "${run}" has not come to a step "${asked}": it went ${went === "" ? "nowhere" : `by ${went}`}; ${below}${earlier}`,
  );
}
