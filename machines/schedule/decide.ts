/**
 * What a schedule does: an event and the facts of its moment in, the schedule as it is to be kept and what to start out.
 * Pure; the host calls it inside one transaction, so that of two processes one decides.
 *
 * I1. A time is done with once: started, skipped, or told as missed. So it is also where the clock is set back, which is
 *     told where it leaves out a time; by more than a day, the schedule goes on from there and says so.
 * I2. A time that is later than `LATE_MS` is missed. It starts nothing, unless its author says so; then one run makes up
 *     for all that were missed.
 * I3. A run is written down, with its id, before it is begun. One whose process died before it had begun is told, and
 *     is not begun again, unless its author lets missed times run.
 * I4. While a run of it goes on, or waits for a person, no other one is started, unless its author allows it.
 * I5. A change of a file is done with once, however many processes have heard of it, and none is lost that comes while
 *     those before it are decided, or where the clock is set back.
 * I6. Of one that is off nothing is started, and none of its times counts as missed.
 */
import type { Fault } from "../model.ts";
import { nextTime, timesWithin } from "./cron.ts";
import { type Cause, type Deed, MOST_COUNTED, MOST_DEEDS, MOST_PATHS, type Off, type Schedule } from "./schedule.ts";

export const LATE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How a run is: `none`, there is no such run. */
export type RunStand = "none" | "open" | "ended";
export type Facts = {
  now: number;
  /** Since when the process that asks has served. */
  since: number;
  /** The process that asks, and whether one lives. */
  self: string;
  isAlive(process: string): boolean;
  stand(run: string): RunStand;
  /** No more scheduled runs are started in this process for now. */
  isFull: boolean;
  /** The id of the run that is started. */
  run: string;
};
/** A file that has changed, and when that was heard of last. `run`: one that worked there then, so that it may be its doing. */
export type FileHeard = { path: string; at: number; run: string | null };
export type ScheduleEvent =
  | { type: "time came" }
  /** `until`: when they had been gathered; what is heard of after that comes with the next ones. */
  | { type: "files changed"; files: readonly FileHeard[]; until: number }
  | { type: "begun"; run: string }
  | { type: "not begun"; run: string; fault: Fault }
  | { type: "turned off"; why: Off["why"]; files: readonly string[] };
export type Decision = {
  schedule: Schedule;
  start: { run: string; cause: Cause; paths: readonly string[] } | null;
  /** What is new, to be told. */
  news: (Deed | Off)[];
};

export function decide(schedule: Schedule, event: ScheduleEvent, facts: Facts): Decision {
  switch (event.type) {
    case "time came":
      return schedule.off === null ? timeCame(schedule, facts) : unchanged(schedule);
    case "files changed":
      return schedule.off === null ? filesChanged(schedule, event, facts) : unchanged(schedule);
    case "begun":
      return unchanged(begun(schedule, ({ run }) => run === event.run));
    case "not begun": {
      const { run, fault } = event;
      return replaced(schedule, run, (was) => ({ type: "not begun", at: facts.now, cause: was.cause, run, fault }));
    }
    case "turned off": {
      if (schedule.off !== null) return unchanged(schedule);
      const off: Off = { at: facts.now, why: event.why, files: event.files.slice(0, MOST_PATHS) };
      return { schedule: { ...schedule, off }, start: null, news: [off] };
    }
    default:
      return event satisfies never;
  }
}

const unchanged = (schedule: Schedule): Decision => ({ schedule, start: null, news: [] });
type Started = Extract<Deed, { type: "started" }>;

/** I5. What a run may have changed itself starts nothing. */
function filesChanged(
  before: Schedule,
  { files: heard, until }: Extract<ScheduleEvent, { type: "files changed" }>,
  facts: Facts,
): Decision {
  const files = heard.filter(({ at }) => at > before.heard || (before.heard > facts.now && at <= facts.now));
  if (files.length === 0) return unchanged(before);
  let decision = unchanged({ ...before, heard: until });
  for (const run of new Set(files.flatMap((file) => file.run ?? [])))
    decision = ignored(
      decision,
      run,
      files.flatMap((file) => (file.run === run ? [file.path] : [])),
      facts,
    );
  const paths = files.flatMap(({ path, run }) => (run === null ? [path] : []));
  if (paths.length === 0) return decision;
  return started(decision, { type: "files", count: paths.length, paths: paths.slice(0, MOST_PATHS) }, facts, paths);
}

/** Told once a run: further ones are counted. */
function ignored(decision: Decision, run: string, paths: readonly string[], { now }: Facts): Decision {
  const [last, ...rest] = decision.schedule.deeds;
  const before = last?.type === "ignored" && last.run === run ? last : null;
  const all = [...new Set([...(before?.paths ?? []), ...paths])].slice(0, MOST_PATHS);
  const deed: Deed = { type: "ignored", at: now, run, count: (before?.count ?? 0) + paths.length, paths: all };
  if (before === null) return noted(decision, deed);
  return { ...decision, schedule: { ...decision.schedule, deeds: [deed, ...rest] } };
}

/** A deed that said that a run was started becomes another one. */
function replaced(schedule: Schedule, run: string, by: (was: Started) => Deed): Decision {
  const news: Deed[] = [];
  const deeds = schedule.deeds.map((deed) => {
    if (deed.type !== "started" || deed.run !== run) return deed;
    news.push(by(deed));
    return by(deed);
  });
  return { schedule: { ...schedule, deeds }, start: null, news };
}

/** That a run has begun stays known when its session is deleted. The same schedule where nothing of it is new. */
function begun(schedule: Schedule, has: (deed: Started) => boolean): Schedule {
  const isNew = (deed: Deed): deed is Started => deed.type === "started" && deed.begun !== true && has(deed);
  if (!schedule.deeds.some(isNew)) return schedule;
  return { ...schedule, deeds: schedule.deeds.map((deed) => (isNew(deed) ? { ...deed, begun: true as const } : deed)) };
}

function noted({ schedule, start, news }: Decision, deed: Deed): Decision {
  return { schedule: { ...schedule, deeds: kept([deed, ...schedule.deeds]) }, start, news: [...news, deed] };
}

/** The oldest goes, but never the last run that was started: it may still go on (I4). */
function kept(deeds: Deed[]): Deed[] {
  if (deeds.length <= MOST_DEEDS) return deeds;
  const last = deeds.findIndex(({ type }) => type === "started");
  return deeds.filter((_, index) => index !== (last === deeds.length - 1 ? last - 1 : deeds.length - 1));
}

/** Told once, however often it comes again: the deed that says it only counts. */
function skipped(decision: Decision, deed: Extract<Deed, { type: "skipped" }>): Decision {
  const { schedule, news } = decision;
  const [last, ...rest] = schedule.deeds;
  if (last?.type !== "skipped" || last.because !== deed.because || last.run !== deed.run) return noted(decision, deed);
  return { schedule: { ...schedule, deeds: [{ ...deed, count: last.count + 1 }, ...rest] }, start: null, news };
}

function timeCame(before: Schedule, facts: Facts): Decision {
  const { now } = facts;
  const { seen, on } = before;
  const lost = cutOff(
    begun(before, ({ run }) => facts.stand(run) !== "none"),
    facts,
  );
  const { schedule } = lost.decision;
  if (seen > now + DAY_MS)
    return noted(
      { ...lost.decision, schedule: { ...schedule, seen: now } },
      { type: "clock set back", at: now, from: seen },
    );
  const late = timesWithin(on.times, { after: seen, until: now - LATE_MS }, MOST_COUNTED);
  const due = timesWithin(on.times, { after: Math.max(seen, now - LATE_MS), until: now }, MOST_COUNTED).at(-1);
  const [first] = late;
  if (first === undefined && due === undefined && lost.count === 0) return quiet(lost.decision, now);
  const decision = { ...lost.decision, schedule: { ...schedule, seen: Math.max(seen, now) } };
  const count = late.length + lost.count;
  if (on.missed === "run" && count > 0)
    return started(decision, { type: "missed", due: first ?? due ?? now, count }, facts, []);
  const told: Decision =
    first === undefined
      ? decision
      : noted(decision, {
          ...{ type: "missed", at: now, first, count: late.length },
          ...(first > facts.since ? { served: true } : {}),
        });
  return due === undefined ? told : started(told, { type: "time", due }, facts, []);
}

/** I1: the clock was set back by less than a day, and a time that it comes to again is left out. Told once. */
function quiet(decision: Decision, now: number): Decision {
  const { seen, on, deeds } = decision.schedule;
  if (seen <= now + LATE_MS || (nextTime(on.times, now) ?? Number.POSITIVE_INFINITY) > seen) return decision;
  if (deeds.some((deed) => deed.type === "clock set back" && deed.from === seen)) return decision;
  return noted(decision, { type: "clock set back", at: now, from: seen, quiet: true });
}

/** I3: runs that were written down by a process that has died, and that were never there. */
function cutOff(schedule: Schedule, { isAlive, now }: Facts): { decision: Decision; count: number } {
  let decision = unchanged(schedule);
  const lost = schedule.deeds.flatMap((deed) =>
    deed.type === "started" && deed.begun !== true && !isAlive(deed.by) ? [deed] : [],
  );
  for (const { cause, run } of lost) {
    const next = replaced(decision.schedule, run, () => ({ type: "cut off", at: now, cause, run }));
    decision = { ...next, news: [...decision.news, ...next.news] };
  }
  return { decision, count: lost.length };
}

/** I4. */
function started(decision: Decision, cause: Cause, facts: Facts, paths: readonly string[]): Decision {
  const { now, self, run, isFull } = facts;
  const { schedule } = decision;
  const open = openRun(schedule, facts);
  if (open !== null && schedule.on.overlap === "skip")
    return skipped(decision, { type: "skipped", at: now, cause, because: "running", run: open, count: 1 });
  if (isFull) return skipped(decision, { type: "skipped", at: now, cause, because: "full", count: 1 });
  const next = noted(decision, { type: "started", at: now, cause, run, by: self });
  return { ...next, start: { run, cause, paths } };
}

/** The run of a schedule that has not ended, or is about to begin; null where there is none. */
export function openRun({ deeds }: Schedule, { stand, isAlive }: Pick<Facts, "stand" | "isAlive">): string | null {
  const open = deeds.find((deed) => {
    if (deed.type !== "started") return false;
    const is = stand(deed.run);
    return is === "open" || (is === "none" && deed.begun !== true && isAlive(deed.by));
  });
  return open?.type === "started" ? open.run : null;
}
