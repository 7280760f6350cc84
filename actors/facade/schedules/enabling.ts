/**
 * A schedule enabled and disabled by its user.
 *
 * I1. Only what could be run now is enabled: in a trusted directory, with a file that has no fault, and with all inputs.
 * I2. It is kept by its id, by which it is looked up before each start: what was named otherwise is one that has such an id.
 * I3. To enable it again begins anew: with the files as they are now, and with the times from now on.
 */
import { join } from "node:path";
import { cronFault, isZone, type ZonedTime } from "../../../machines/schedule/cron.ts";
import { globFault } from "../../../machines/schedule/globs.ts";
import type { Schedule } from "../../../machines/schedule/schedule.ts";
import type { Starts } from "../../../machines/schedule/starts.ts";
import { resolveInputs } from "../../../machines/workflow/inputs.ts";
import { quotedWord } from "../../../machines/workflow/template/plain.ts";
import type { ScheduleRecord } from "../../api/schedules.ts";
import type { Loaded } from "../../catalogue/catalogue.ts";
import { isPath } from "../../catalogue/identifier.ts";
import { outsideOf } from "../../catalogue/outside.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { SchedulePlace } from "../../host/reads.ts";
import { filesOf } from "../../schedules/reading.ts";
import { isTrusted } from "../../trust/trust.ts";
import type { Runtime } from "../runtime.ts";
import { recordOf } from "./listing.ts";

/** The zone of this machine: times that name none are of the place where they were enabled. */
const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export async function enable(runtime: Runtime, { cwd, workflow }: SchedulePlace): Promise<ScheduleRecord> {
  const { catalogue, host, askHost, options } = runtime;
  const loaded = await catalogue.load(cwd, workflow);
  const { id, file } = loaded;
  const { on, inputs } = loaded.workflow;
  if (on === undefined) {
    const message = `"${id}" has no "on": nothing says what starts it by itself`;
    throw new TroupeError("USER.SCHEDULE.NONE", message, { file, workflow: id });
  }
  refuseFaulty(on, loaded);
  await refuseUnlisted(catalogue, loaded, { cwd, workflow });
  refuseUntrusted(runtime, loaded, cwd);
  refuseLacking(inputs, on, id);
  const times = on.times.map(({ cron, zone }): ZonedTime => ({ cron, zone: zone ?? zoneHere() }));
  const files = await filesOf({ catalogue, named: askHost.named }, loaded, cwd);
  const now = options.clock.now();
  const schedule = await host.schedules.change({ cwd, workflow: id }, (kept) => {
    const deeds = kept?.deeds ?? [];
    const made: Schedule = {
      ...{ cwd, workflow: id, on: { ...on, times }, files, deeds },
      ...{ enabledAt: Math.max(now, (kept?.enabledAt ?? 0) + 1), off: null, seen: now, heard: now },
    };
    return { schedule: made, answer: made };
  });
  return recordOf(runtime, schedule);
}

export async function disable(runtime: Runtime, asked: SchedulePlace): Promise<ScheduleRecord> {
  const { host, options } = runtime;
  const { cwd, workflow } = { ...asked, workflow: await idOf(runtime, asked) };
  const schedule = await host.schedules.change({ cwd, workflow }, (kept) => {
    if (kept === null) return { schedule: null, answer: null };
    const off = { at: options.clock.now(), why: "disabled" as const, files: [] };
    const made: Schedule = { ...kept, off };
    return { schedule: made, answer: made };
  });
  if (schedule !== null) return recordOf(runtime, schedule);
  const message = `"${workflow}" of ${cwd} was never enabled: see troupe schedules list`;
  throw new TroupeError("USER.SCHEDULE.NOT_FOUND", message, { cwd, workflow });
}

/** I2. One that was enabled is known by its id, whether or not it can still be read. */
async function idOf({ catalogue, host }: Runtime, { cwd, workflow }: SchedulePlace): Promise<string> {
  if (host.schedules.list().some((kept) => kept.cwd === cwd && kept.workflow === workflow)) return workflow;
  return await catalogue.load(cwd, workflow).then(
    ({ id }) => id,
    () => workflow,
  );
}

async function refuseUnlisted(
  catalogue: Runtime["catalogue"],
  { id, file, real }: Loaded,
  { cwd, workflow }: SchedulePlace,
): Promise<void> {
  if (!isPath(workflow)) return;
  const listed = await catalogue.load(cwd, id).catch(() => null);
  if (listed?.real === real) return;
  const message = `${file} is not what "${id}" means in ${cwd}, and a schedule looks its workflow up by that name: put it into ${join(cwd, ".troupe", "workflows")}`;
  throw new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", message, { file });
}

/** In one of AWF's places a fault of `on` is only a warning: the file can be run, but not by itself. */
function refuseFaulty({ times, files }: Starts, { id, file }: Loaded): void {
  const faults = [
    ...times.map(({ cron, zone }) => cronFault(cron) ?? (isZone(zone ?? "UTC") ? null : `there is no zone "${zone}"`)),
    ...[...(files?.paths ?? []), ...(files?.ignore ?? [])].map(globFault),
  ].filter((fault) => fault !== null);
  if (faults.length === 0 && (times.length > 0 || files !== null)) return;
  const message = `"${id}" cannot start by itself: ${faults[0] ?? "its on names nothing that starts it"}; see troupe validate ${id}`;
  throw new TroupeError("WORKFLOW.VALIDATION.FAILED", message, { id, file });
}

/** A trust that the environment gives does not last, and so is none here. */
function refuseUntrusted({ host }: Pick<Runtime, "host">, loaded: Loaded, cwd: string): void {
  const outside = outsideOf(loaded, cwd);
  const lacking = [cwd, ...(outside === null ? [] : [outside])].filter((folder) => !isTrusted(host.trust, folder));
  const [folder] = lacking;
  if (folder === undefined) return;
  const message = `${lacking.join(" and ")} ${lacking.length === 1 ? "is" : "are"} not trusted: read what "${loaded.id}" does, then troupe trust add ${quotedWord(folder)}`;
  throw new TroupeError("USER.TRUST.REQUIRED", message, { cwd: folder });
}

function refuseLacking(declared: Loaded["workflow"]["inputs"], on: Starts, id: string): void {
  const isByFiles = on.times.length === 0 && on.files?.input !== undefined;
  const given = { ...on.inputs, ...(isByFiles ? { [on.files?.input ?? ""]: "a/path" } : {}) };
  const resolved = resolveInputs(declared, given, { extras: "refuse", fileExists: () => true });
  if (resolved.ok) return;
  const [first] = resolved.faults;
  throw new TroupeError("USER.INPUT.VALIDATION_FAILED", `"${id}" cannot start by itself: ${first?.message ?? ""}`, {
    faults: resolved.faults,
  });
}
