/**
 * The list of runs: a line each, with where it is, since when, what it used and what it waits for.
 *
 * I1. What waits for a person stands first; the rest newest first, as it is given.
 * I2. What steps write changes no line: `changesList` says so of frames beforehand.
 */
import { CONTENT, type Frame, isLive } from "../../machines/exchange.ts";
import type { StepNode } from "../runs/step-node.ts";
import { usageWords } from "../runs/usage-words.ts";
import type { Screen } from "../screen/screen.ts";
import { type Paint, paint } from "../terminal/paint.ts";
import { questionWord } from "../terminal/question.ts";
import { safeLine } from "../terminal/safe.ts";
import type { RunView } from "../terminal/tables.ts";
import { markOf } from "../terminal/tree-lines.ts";
import { shorten, widthOf } from "../terminal/width.ts";
import { age, elapsed } from "../terminal/words.ts";
import type { UiPlace } from "./frame.ts";

/** `screen`: null where its log is not followed. */
export type ListEntry = { record: RunView; screen: Screen | null };

export const isWaiting = ({ status }: Pick<RunView, "status">): boolean => status === "waiting" || status === "parked";
export const inOrder = <R extends RunView>(records: readonly R[]): R[] => [
  ...records.filter(isWaiting),
  ...records.filter((record) => !isWaiting(record)),
];

const WRITTEN: ReadonlySet<string> = new Set(CONTENT);
/** Whether a line of the list may read otherwise after these frames. */
export const changesList = (frames: readonly Frame[]): boolean =>
  frames.some((frame) => !isLive(frame) && !WRITTEN.has(frame.type));

const NAME = 16;
const WIDE = 72;

export function listLine({ record, screen }: ListEntry, isChosen: boolean, { width, now, colours }: UiPlace): string {
  const paints = paint(colours);
  const most = Math.min(NAME, Math.floor(width / 3));
  const name = padded(shorten(safeLine(record.workflow), most), most);
  const id = width >= WIDE ? `${paints.dim(record.id.slice(0, 8))} ` : "";
  const left = `${isChosen ? paints.bold("❯") : " "} ${mark(record, paints)} ${isChosen ? paints.bold(name) : name} ${id}`;
  const facts = factsOf(record, screen, now, width);
  const room = width - widthOf(left) - widthOf(facts) - 1;
  return `${left}${padded(shorten(what(record, screen, paints), Math.max(4, room)), room)} ${paints.dim(facts)}`;
}

const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - widthOf(text)));

function mark({ status }: RunView, paints: Paint): string {
  switch (status) {
    case "running":
    case "waiting":
    case "interrupted":
    case "completed":
    case "failed":
    case "cancelled":
    case "skipped":
      return markOf(status, paints);
    default:
      return markOf("waiting", paints);
  }
}

/** What it waits for, the steps at work, or how it ended. */
function what(record: RunView, screen: Screen | null, { yellow, red }: Paint): string {
  const [permission] = record.permissions;
  if (permission !== undefined) return yellow(safeLine(permission.title));
  const [question] = record.questions;
  if (question !== undefined) return yellow(questionWord(question));
  if (record.status === "failed") return red(failureWord(record, screen));
  if (record.status !== "running" || screen === null) return record.status;
  const open = screen.fold.roots.filter(({ end }) => end === null).flatMap(currentIn);
  return open.length === 0 ? "starts" : open.map(({ address }) => safeLine(address)).join(", ");
}
const failureWord = ({ error }: RunView, screen: Screen | null): string => {
  const [cause] = screen?.fold.causes(0) ?? [];
  return cause === undefined ? `failed: ${safeLine(error?.message ?? "")}` : `failed in ${safeLine(cause.address)}`;
};
const MOST_NAMED = 3;
function currentIn(node: StepNode): StepNode[] {
  if (node.open.size === 0) return [node];
  return [...node.open].slice(0, MOST_NAMED).flatMap(currentIn).slice(0, MOST_NAMED);
}

function factsOf({ status, startedAt, endedAt }: RunView, screen: Screen | null, now: number, width: number): string {
  const used = screen === null || width < WIDE ? [] : usageWords(screen.fold.total.sum());
  const when = status === "running" && screen !== null ? elapsed(screen.workedMs(now)) : age(endedAt ?? startedAt, now);
  return [...used, when].join(" · ");
}
