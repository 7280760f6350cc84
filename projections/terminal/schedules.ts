/** Schedules on the terminal: a table of them, what was enabled, and lines of what happens while they are served. */
import type { Cause, Deed, Off } from "../../machines/schedule/schedule.ts";
import type { Starts } from "../../machines/schedule/starts.ts";
import { offWords, startsWords } from "../shared/schedule-words.ts";
import { paint } from "./paint.ts";
import { safeLine } from "./safe.ts";
import { type RunView, type TableOptions, table } from "./tables.ts";
import { age, count, duration } from "./words.ts";

export type ScheduleView = {
  cwd: string;
  workflow: string;
  on: Starts;
  state: "enabled" | "off" | "not enabled";
  off: Off | null;
  next: number | null;
  last: Pick<RunView, "id" | "status" | "startedAt" | "endedAt"> | null;
  deeds: readonly Deed[];
  files: readonly string[];
};
export type NewsView =
  | { type: "deed"; cwd: string; workflow: string; deed: Deed }
  | { type: "off"; cwd: string; workflow: string; off: Off }
  | { type: "ended"; cwd: string; workflow: string; run: string; status: string }
  | { type: "fault"; cwd: string; message: string };

export const UNSERVED = "Nothing serves them now: troupe serve --schedules starts what is due.";

/** What to do about those that a change has turned off; an update of Troupe may be one. */
export const againLines = (schedules: readonly ScheduleView[]): string[] =>
  schedules.some(({ off }) => off?.why === "changed")
    ? [
        "What is off starts nothing. See what has changed, which may be how an update of Troupe reads it; then, in its directory: troupe schedules enable <workflow>",
      ]
    : [];

export function scheduleTable(
  schedules: readonly ScheduleView[],
  now: number,
  { colours, columns }: TableOptions,
): string[] {
  const paints = paint(colours);
  const isOne = new Set(schedules.map(({ cwd }) => cwd)).size <= 1;
  const rows = schedules.map(({ workflow, on, state, off, next, last, deeds, cwd }) => [
    safeLine(workflow),
    next === null ? "" : `in ${duration(next - now)}`,
    off === null ? (state === "enabled" ? paints.green(state) : state) : paints.red(safeLine(offWords(off))),
    lastWords(last, deeds, now),
    ...(isOne ? [] : [safeLine(cwd)]),
    safeLine(startsWords(on)),
  ]);
  // What stands last is cut first: the file says it too.
  const titles = ["WORKFLOW", "NEXT", "STATE", "LAST", ...(isOne ? [] : ["DIRECTORY"]), "STARTS"];
  return table(titles, rows, paints, columns);
}

/** How its last run is, and what has come of it since. */
function lastWords(last: ScheduleView["last"], deeds: readonly Deed[], now: number): string {
  const latest = deeds.find(({ type }) => type !== "ignored");
  const run = last === null ? "" : `${last.status} ${age(last.endedAt ?? last.startedAt, now)} (${last.id})`;
  if (latest === undefined || (latest.type === "started" && run !== "")) return run;
  const words = `${deedWords(latest)}, ${age(latest.at, now)}`;
  return run === "" ? words : `${run}; ${words}`;
}

const times = (many: number): string => (many === 1 ? "once" : `${many} times`);
const moment = (at: number): string => new Date(at).toISOString().replace(/:\d\d\.\d+Z$/, "Z");

function causeWords(cause: Cause): string {
  switch (cause.type) {
    case "time":
      return `at ${moment(cause.due)}`;
    case "missed":
      return `for what was missed since ${moment(cause.due)}`;
    case "files":
      return `since ${count(cause.count, "file")} changed: ${safeLine(cause.paths.slice(0, 3).join(", "))}${cause.count > 3 ? ", …" : ""}`;
    default:
      return cause satisfies never;
  }
}

/** What a schedule has come to, in a few words. */
function deedWords(deed: Deed): string {
  switch (deed.type) {
    case "started":
      return `run ${deed.run} started ${causeWords(deed.cause)}`;
    case "not begun":
      return `could not begin ${causeWords(deed.cause)}: ${safeLine(deed.fault.message)} [${deed.fault.code}]`;
    case "cut off":
      return `was not run ${causeWords(deed.cause)}: the process ended before it had begun`;
    case "skipped": {
      const why = deed.because === "full" ? "too many runs go on" : `run ${deed.run ?? ""} goes on or waits`;
      return `skipped ${times(deed.count)}, ${causeWords(deed.cause)}: ${why}`;
    }
    case "missed": {
      const why = deed.served ? "the machine slept then or its clock was set forward" : "nothing served then";
      return `missed ${times(deed.count)} since ${moment(deed.first)}: ${why}, and nothing was run for it`;
    }
    case "ignored":
      return `${count(deed.count, "file")} changed while run ${deed.run} worked there, which starts nothing: ${safeLine(deed.paths.slice(0, 3).join(", "))}`;
    case "clock set back":
      return `the clock was set back, to before ${moment(deed.from)}: ${deed.quiet ? "no time comes again until then, unless it is enabled anew" : "times go on from now"}`;
    default:
      return deed satisfies never;
  }
}

/** What was enabled: when it starts, and what must stay as it is. */
export function enabledLines({ workflow, on, next, files, cwd }: ScheduleView, now: number): string[] {
  const due = next === null ? [] : [`  next: ${moment(next)}, in ${duration(next - now)}`];
  return [
    `${safeLine(workflow)} of ${safeLine(cwd)} starts by itself: ${safeLine(startsWords(on))}`,
    ...due,
    `  a change of ${files.length === 1 ? "this file" : "one of these files"} turns it off:`,
    ...files.map((file) => `    ${safeLine(file)}`),
  ];
}

/** Whether nothing was left out, turned off or lost. */
export const isAsPlanned = (news: NewsView): boolean =>
  news.type === "ended" || (news.type === "deed" && ["started", "ignored"].includes(news.deed.type));

/** A line of the server's log for what is new. */
export function newsLines(news: NewsView): string[] {
  switch (news.type) {
    case "deed":
      return [`${of(news)}: ${deedWords(news.deed)}`];
    case "off":
      return [
        `${of(news)} is turned ${safeLine(offWords(news.off))}. See it, then troupe schedules enable ${safeLine(news.workflow)}`,
      ];
    case "ended":
      return [`${of(news)}: run ${news.run} ${news.status}`];
    case "fault":
      return [`schedules${news.cwd === "" ? "" : ` of ${safeLine(news.cwd)}`}: ${safeLine(news.message)}`];
    default:
      return news satisfies never;
  }
}
const of = ({ workflow, cwd }: { workflow: string; cwd: string }): string =>
  `${safeLine(workflow)} of ${safeLine(cwd)}`;
