/**
 * What happens in a run now, as lines for a place of a given size: steps at work with their last lines, what failed in
 * them, what went well in one line; and how far the run is.
 *
 * I1. Never more lines than the height, never wider than the width. Where room is short, last lines go first, then
 *     steps at work are counted.
 * I2. It costs what is at work, not what is over.
 */
import { itemOf } from "../../machines/naming/address.ts";
import type { StepNode } from "../runs/step-node.ts";
import { usageWords } from "../runs/usage-words.ts";
import { type Paint, paint } from "../terminal/paint.ts";
import { labelOf, markOf } from "../terminal/tree-lines.ts";
import { shorten, widthOf } from "../terminal/width.ts";
import { count, elapsed } from "../terminal/words.ts";
import type { Screen } from "./screen.ts";
import { lineOfStep } from "./step-line.ts";
import type { Tone } from "./step-tail.ts";

export type ScreenPlace = { width: number; height: number; now: number; colours: boolean };
/** How much is shown: last lines of each step, and steps of each container. */
type Room = { tail: number; steps: number };

const ROOMS: readonly Room[] = [
  ...[8, 5, 3, 2, 1].map((tail) => ({ tail, steps: 16 })),
  ...[16, 8, 4, 2, 1].map((steps) => ({ tail: 0, steps })),
];
const INDENT = "  ";
/** Names of what went well, where they fit. */
const FEW_NAMES = 4;
const HINT = "ctrl-c cancels";

/** `place.height`: at least 1. The last line says how far the run is. */
export function liveLines(screen: Screen, place: ScreenPlace): string[] {
  const paints = paint(place.colours);
  const open = screen.fold.roots.filter(({ end }) => end === null);
  const most = Math.max(1, place.height);
  let lines: string[] = [];
  for (const room of ROOMS) {
    lines = open.flatMap((node) => linesOf(screen, node, 1, { ...place, room, paints }));
    if (lines.length < most) break;
  }
  const fitting = [...(most === 1 ? [] : lines.slice(0, most - 1)), statusLine(screen, place, paints)];
  return fitting.map((line) => shorten(line, place.width));
}

type Drawing = ScreenPlace & { room: Room; paints: Paint };

function linesOf(screen: Screen, node: StepNode, depth: number, drawing: Drawing): string[] {
  const { now, room, paints, width } = drawing;
  const margin = INDENT.repeat(depth);
  const own = margin + lineOfStep(screen, node, { now, isAlive: true, paint: paints });
  if (node.children.length === 0) return [own, ...tailLines(screen, node, depth + 1, drawing, room.tail)];
  const failed = node.failed.slice(-room.steps);
  const open = [...node.open].slice(0, room.steps);
  return [
    own,
    ...wentWell(node, margin + INDENT, width, paints),
    ...failed.flatMap((child) => [
      margin + INDENT + lineOfStep(screen, child, { now, isAlive: true, paint: paints }),
      ...tailLines(screen, child, depth + 2, drawing, Math.min(room.tail, 3)),
    ]),
    ...open.flatMap((child) => linesOf(screen, child, depth + 1, drawing)),
    ...(node.open.size > open.length
      ? [`${margin}${INDENT}${paints.dim(`… and ${count(node.open.size - open.length, "other")} at work`)}`]
      : []),
  ];
}

function tailLines(screen: Screen, node: StepNode, depth: number, { paints }: Drawing, most: number): string[] {
  const margin = `${INDENT.repeat(depth)}${paints.dim("│")} `;
  return screen.tailOf(node, most).map(({ tone, text }) => margin + toned(tone, text, paints));
}
function toned(tone: Tone, text: string, { dim, yellow }: Paint): string {
  switch (tone) {
    case "said":
    case "printed":
    case "tool":
      return text;
    case "thought":
    case "error":
      return dim(text);
    case "retry":
      return yellow(text);
    default:
      return tone satisfies never;
  }
}

/** What is over and has not failed, in one line. */
function wentWell(node: StepNode, margin: string, width: number, paints: Paint): string[] {
  const many = node.children.length - node.open.size - node.failed.length;
  if (many === 0) return [];
  const mark = markOf("completed", paints);
  if (many <= FEW_NAMES && node.children.length <= 4 * FEW_NAMES) {
    const names = node.children
      .filter(({ end }) => end !== null && end.status !== "failed")
      .map(nameOf)
      .join(", ");
    const line = `${margin}${mark} ${paints.dim(names)}`;
    if (widthOf(line) <= width) return [line];
  }
  return [`${margin}${mark} ${paints.dim(`${many} done`)}`];
}
const nameOf = ({ path, round, about }: StepNode): string =>
  labelOf({ path, round, item: itemOf(about.round), name: about.name });

function statusLine(screen: Screen, { width, now }: ScreenPlace, { dim }: Paint): string {
  const { ended, of } = screen.progress;
  const words = [
    ...(of > 0 ? [`${ended} of ${count(of, "step")}`] : []),
    elapsed(screen.workedMs(now)),
    ...usageWords(screen.fold.total.sum()),
  ].join(" · ");
  const hinted = `${words} · ${HINT}`;
  return dim(`  ${widthOf(hinted) + 2 <= width ? hinted : words}`);
}
