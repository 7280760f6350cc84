/** The line of a step on a screen. */
import { itemOf } from "../../machines/naming/address.ts";
import type { StepNode } from "../runs/step-node.ts";
import type { Paint } from "../terminal/paint.ts";
import { stepLine } from "../terminal/tree-lines.ts";
import { count, duration, elapsed } from "../terminal/words.ts";
import type { Screen } from "./screen.ts";

/** `isAlive`: a process runs what has no end. */
export type StepLook = { now: number; isAlive: boolean; paint: Paint };

export function lineOfStep(screen: Screen, node: StepNode, { now, isAlive, paint }: StepLook): string {
  const { path, round, about, attempts, calls, children } = node;
  const state = node.state(isAlive);
  const ms = screen.stepMs(node, now);
  const took = node.end === null ? (state === "interrupted" ? null : elapsed(ms)) : duration(ms);
  const facts = {
    ...{
      path,
      name: about.name,
      round,
      item: itemOf(about.round),
      kind: about.kind,
      state,
      attempts,
      calls,
      took,
      isLive: true,
    },
    ...{
      exitCode: node.end?.exitCode ?? null,
      error: node.end?.error ?? null,
      usage: node.total.sum(),
      waitsFor: [...node.waits.values()],
    },
    isLeaf: children.length === 0,
  };
  const line = stepLine(facts, paint);
  const counted = children.length < 2 ? "" : ` ${paint.dim("·")} ${partsWord(node)}`;
  return line + counted;
}

/** `2 of 3 done`; `12 of 40 rounds` have begun, or, where they cannot be counted beforehand, `12 rounds`; and how many failed. */
function partsWord(node: StepNode): string {
  const { about, children, open, failed } = node;
  const ended = children.length - open.size;
  const last = about.kind === "for_each" || about.kind === "while" ? children.at(-1) : undefined;
  const done = last === undefined ? branchesWord(ended, children.length) : roundsWord(last, node.end === null);
  return failed.length === 0 ? done : `${done}, ${failed.length} failed`;
}
const branchesWord = (ended: number, all: number): string =>
  ended === all ? count(all, "part") : `${ended} of ${all} done`;
const roundsWord = ({ round, about }: StepNode, isOpen: boolean): string =>
  isOpen && about.round !== undefined ? `${round} of ${about.round.of} rounds` : count(round ?? 0, "round");
