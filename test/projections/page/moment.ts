/** A run at a moment of its history. */
import type { RunHistory } from "../../../projections/page/history.ts";
import { momentOf, type RunMoment } from "../../../projections/page/moment.ts";

export const NOW = 99_000;
export const NONE = { open: new Set<string>(), closed: new Set<string>() };
export const at = (history: RunHistory, seq: number | null = null, isAlive = true): RunMoment =>
  momentOf(history, { seq, isAlive, now: NOW });
