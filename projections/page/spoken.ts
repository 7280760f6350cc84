/** Figures as people read them. */
import type { RerunOf } from "../../machines/exchange.ts";
import type { UsageSum } from "../runs/usage.ts";
import type { StepMoment } from "./moment.ts";

/** 340 ms, 4.2 s, 1:05, 2:03:09. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1_000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}

/** 812, 4.1k, 1.2M. */
export function countText(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_950) return `${(count / 1_000).toFixed(1)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** "" where nothing was used. */
export function usageText({ tokens, costs }: UsageSum): string {
  const parts = [
    ...(tokens === 0 ? [] : [`${countText(tokens)} tokens`]),
    ...costs.filter(({ amount }) => amount > 0).map(costText),
  ];
  return parts.join(" · ");
}
/** One that is less than a thousandth is not shown as nothing. */
const costText = ({ amount, currency }: UsageSum["costs"][number]): string =>
  `${amount.toFixed(amount >= 1 ? 2 : amount < 0.001 ? 5 : 3)} ${currency}`;

/** What a run took over that does another one again. */
export function takenText({ from, round, taken, rounds }: RerunOf): string {
  if (from === null) return " from the beginning";
  const of = rounds === undefined ? "" : `, ${rounds.taken} of ${rounds.of} rounds taken over`;
  return ` from ${round ?? from}${of === "" && taken.length > 0 ? `, ${taken.length} ${taken.length === 1 ? "step" : "steps"} taken over` : of}`;
}

/** How long ago: just now, 5 min, 3 h, 2 d. */
export function agoText(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 60 * 48 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1_440)} d ago`;
}

const STATES: { readonly [state: string]: string } = {
  idle: "not reached",
  passed: "not taken",
  taken: "taken over",
  parked: "waits for an answer",
  waiting: "waits for you",
  interrupted: "cut off",
};
export const stateText = (state: string): string => STATES[state] ?? state;

/** Of a question of a step that has no answer at a moment: whether one is still waited for. */
export function unansweredText({ state, waits }: Pick<StepMoment, "state" | "waits">, id: string): string {
  if (!waits.some((wait) => wait.id === id)) return "not answered";
  return state === "interrupted" ? "not answered: the run was cut off" : "not answered yet";
}
