/** `troupe schedules`: what starts by itself, enabled and disabled. */
import { resolve } from "node:path";
import type { ScheduleRecord, Schedules } from "../../../actors/troupe.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { againLines, enabledLines, scheduleTable, UNSERVED } from "../../../projections/terminal/schedules.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { inProject } from "../project.ts";
import { withTroupe } from "../with-troupe.ts";

/** Carries out `ask` in the project; writes its answer as JSON, or the lines for it. */
function answer<T>(
  context: CommandContext,
  ask: (schedules: Schedules, cwd: string) => Promise<T>,
  lines: (answer: T, schedules: Schedules) => readonly string[],
): Promise<number> {
  const { io, format } = inProject(context);
  return withTroupe(io, async (troupe) => {
    const schedules = await troupe.schedules();
    const answered = await ask(schedules, io.cwd);
    if (format === "json") writeJson(io, answered);
    else writeLines(io, lines(answered, schedules));
    return 0;
  });
}

export const listSchedules = (context: CommandContext): Promise<number> =>
  answer(
    context,
    (schedules, cwd) => schedules.list(cwd),
    (all, schedules) => {
      if (all.length === 0) return ["No workflow starts by itself. One whose file has on: can: docs/schedules.md."];
      const isUnserved = all.some(({ state }) => state === "enabled") && !schedules.isServed();
      const table = scheduleTable(all, context.io.now(), context.io);
      return [...table, ...againLines(all), ...(isUnserved ? [UNSERVED] : [])];
    },
  );

export const enableSchedule = (context: CommandContext, workflow: string): Promise<number> =>
  answer(
    context,
    (schedules, cwd) => schedules.enable(cwd, workflow),
    (enabled: ScheduleRecord, schedules) => [
      ...enabledLines(enabled, context.io.now()),
      ...(schedules.isServed() ? [] : [UNSERVED]),
    ],
  );

/** `directory`: as it is listed; null for the project that the user stands in. */
export const disableSchedule = (context: CommandContext, workflow: string, directory: string | null): Promise<number> =>
  answer(
    context,
    (schedules, cwd) => schedules.disable(directory === null ? cwd : resolve(context.io.cwd, directory), workflow),
    ({ workflow: name }) => [`${safeLine(name)} starts by itself no more.`],
  );
