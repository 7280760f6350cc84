/** Schedules served by this process: what the scheduler is given of the runtime. */
import { existsSync } from "node:fs";
import type { Off, Schedule } from "../../../machines/schedule/schedule.ts";
import type { ScheduleNews } from "../../api/schedules.ts";
import { outsideOf } from "../../catalogue/outside.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { watchFiles } from "../../schedules/file-watch.ts";
import { changedFiles, sealed } from "../../schedules/reading.ts";
import { Scheduler, type ToStart } from "../../schedules/scheduler.ts";
import { isTrusted } from "../../trust/trust.ts";
import { resultOf } from "../results.ts";
import { watchRuns } from "../run-news.ts";
import type { Runtime } from "../runtime.ts";
import { SessionHandle } from "../session-handle.ts";
import { runAlone } from "../sessions/remove.ts";

type Reading = Pick<Runtime, "host" | "catalogue" | "askHost">;
const readingOf = ({ catalogue, askHost: { named } }: Reading) => ({ catalogue, named });

/** Why a schedule may start nothing any more; null where it may. */
export async function whyOff(runtime: Reading, schedule: Schedule): Promise<Pick<Off, "why" | "files"> | null> {
  const { cwd, files } = schedule;
  if (!existsSync(cwd)) return { why: "not there", files: [] };
  const own = files[0]?.path;
  const changed = await changedFiles(readingOf(runtime), schedule);
  if (changed.length > 0) return { why: "changed", files: changed };
  if (!isTrusted(runtime.host.trust, cwd)) return { why: "not trusted", files: [] };
  const outside = own === undefined ? null : await outsideFolder(runtime, schedule);
  return outside === null || isTrusted(runtime.host.trust, outside) ? null : { why: "not trusted", files: [outside] };
}
const outsideFolder = async ({ catalogue }: Reading, { cwd, workflow }: Schedule): Promise<string | null> =>
  outsideOf(await catalogue.load(cwd, workflow), cwd);

export async function serveSchedules(
  runtime: Runtime,
  tell: (news: ScheduleNews) => void,
): Promise<() => Promise<void>> {
  const { host, options } = runtime;
  const scheduler = new Scheduler({
    schedules: host.schedules,
    runs: host.runs,
    clock: options.clock,
    newRun: () => options.ids("run"),
    whyOff: (schedule) => whyOff(runtime, schedule),
    begin: (start) => begin(runtime, start),
    listen: (changed) => watchRuns(runtime, null, changed),
    watchFiles,
    tell,
  });
  await scheduler.start();
  return () => scheduler.stop();
}

/** A session of its own with the run in it, of the very files that were enabled, with nobody to ask beforehand. */
async function begin(runtime: Runtime, { schedule, run, paths }: ToStart): Promise<{ ended: Promise<string> }> {
  const { host, options, user } = runtime;
  const { cwd, workflow, on } = schedule;
  const { input } = on.files ?? {};
  const inputs = { ...on.inputs, ...(input === undefined || paths.length === 0 ? {} : { [input]: paths.join("\n") }) };
  const id = options.ids("session");
  await host.create(`session/${id}`, { cwd, principal: user });
  const session = new SessionHandle(runtime, id, cwd);
  const catalogue = sealed(readingOf(runtime), schedule);
  await runAlone(session, host, () => session.run({ workflow, inputs, consent: "nobody" }, { run, catalogue }));
  const result = session.turnEnd()?.then((end) => resultOf(end, run));
  const ended = (result ?? Promise.reject(notBegun(workflow))).then(({ outcome }) => outcome.status);
  // A turn that ends without its run was refused: only then is there no run.
  await Promise.race([ended, begun(runtime, run)]);
  return { ended: ended.catch(() => "failed") };
}

const notBegun = (workflow: string): TroupeError =>
  new TroupeError("EXECUTION.RUN.CANCELLED", `"${workflow}" was not begun`);

/** Resolves when there is such a run. */
const begun = (runtime: Runtime, run: string): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (runtime.host.runs.find(run, null)?.begun !== true) return;
      unlisten();
      resolve();
    };
    const unlisten = runtime.news.hear(look);
    look();
  });
