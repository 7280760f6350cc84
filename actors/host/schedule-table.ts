/**
 * The schedules of a user, and how one is changed: whoever decides does so inside one transaction, so that of several
 * processes one is first, and the others see what it has decided.
 */
import type { Schedule } from "../../machines/schedule/schedule.ts";

/** A workflow of a directory. */
export type SchedulePlace = Pick<Schedule, "cwd" | "workflow">;
/** `kept`: JSON in which secrets are hidden. */
export interface ScheduleTable {
  find(place: SchedulePlace): string | undefined;
  /** By directory, then by workflow. */
  list(): string[];
  keep(place: SchedulePlace, kept: string): void;
  drop(place: SchedulePlace): void;
}

/** Who changes a schedule, and whether a process that is named in one lives. */
export type Changing = { self: string; isAlive(process: string): boolean };
/** `schedule`: what is kept from now on; the same one leaves it as it is, null takes it out. */
export type Changed<Answer> = { schedule: Schedule | null; answer: Answer };
export interface KeptSchedules {
  list(): Schedule[];
  /**
   * Changes one, in a transaction of its own; durable when it resolves. `act` is given what is kept, null where nothing
   * is; it is called again where another process was first.
   */
  change<Answer>(place: SchedulePlace, act: (kept: Schedule | null, who: Changing) => Changed<Answer>): Promise<Answer>;
}
