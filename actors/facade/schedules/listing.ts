/** Schedules as they are listed: what is kept, and how it stands now. */
import { nextTime } from "../../../machines/schedule/cron.ts";
import type { Schedule } from "../../../machines/schedule/schedule.ts";
import type { ScheduleRecord } from "../../api/schedules.ts";
import { findRun } from "../records.ts";
import type { Runtime } from "../runtime.ts";
import { whyOff } from "./serving.ts";

/** A schedule as it is kept. */
export function recordOf(
  { host, options }: Pick<Runtime, "host" | "options">,
  schedule: Schedule,
  here: string | null = schedule.cwd,
): ScheduleRecord {
  const { cwd, workflow, on, off, enabledAt, seen, deeds, files } = schedule;
  const started = deeds.find(({ type }) => type === "started");
  const last = started?.type === "started" ? findRun(host, { run: started.run, principal: null }) : null;
  const paths = files.map(({ path }) => path);
  const after = Math.max(seen, options.clock.now());
  return {
    ...{ cwd, workflow, on, off, enabledAt, last, deeds },
    isHere: cwd === here,
    file: paths[0] ?? null,
    state: off === null ? "enabled" : "off",
    next: off === null ? nextTime(on.times, after) : null,
    files: paths,
  };
}

/** With what a look at the files finds now: it is not written down before somebody serves. */
export async function listed(runtime: Runtime, cwd: string | null): Promise<ScheduleRecord[]> {
  const kept = runtime.host.schedules.list();
  const records: ScheduleRecord[] = [];
  for (const schedule of kept) {
    const off = schedule.off === null ? await whyOff(runtime, schedule) : null;
    const now = off === null ? schedule : { ...schedule, off: { ...off, at: runtime.options.clock.now() } };
    records.push(recordOf(runtime, now, cwd));
  }
  const isKept = (id: string): boolean => kept.some((one) => one.cwd === cwd && one.workflow === id);
  if (cwd !== null) records.push(...(await couldBe(runtime, cwd, isKept)));
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return records.sort((a, b) => order(a.cwd, b.cwd) || order(a.workflow, b.workflow));
}

/** Workflows of a directory that say what starts them, and that were never enabled. */
async function couldBe(
  { catalogue }: Pick<Runtime, "catalogue">,
  cwd: string,
  isKept: (id: string) => boolean,
): Promise<ScheduleRecord[]> {
  const found: ScheduleRecord[] = [];
  for (const { id, fault } of await catalogue.list(cwd)) {
    if (fault !== null || isKept(id)) continue;
    const loaded = await catalogue.load(cwd, id).catch(() => null);
    const on = loaded?.workflow.on;
    if (loaded === null || on === undefined) continue;
    found.push({
      ...{
        cwd,
        isHere: true,
        workflow: id,
        file: loaded.real,
        on,
        state: "not enabled",
        off: null,
        enabledAt: null,
        next: null,
      },
      ...{ last: null, deeds: [], files: [] },
    });
  }
  return found;
}
