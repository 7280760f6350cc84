/** What starts a workflow by itself, and why it does no more, in words. Names of files stand in them as they are. */
import type { Off } from "../../machines/schedule/schedule.ts";
import type { Starts } from "../../machines/schedule/starts.ts";

/** What starts it, as its file says it. */
export function startsWords({ times, files }: Starts): string {
  const zoned = times.map(({ cron, zone }) => `${cron}${zone === undefined ? "" : ` ${zone}`}`);
  const changed = files === null ? [] : [`${files.paths.join(", ")} changed`];
  return [...zoned, ...changed].join("; ");
}

export function offWords({ why, files }: Off): string {
  switch (why) {
    case "disabled":
      return "disabled";
    case "changed":
      return `off: changed since it was enabled: ${files.join(", ")}`;
    case "not trusted":
      return "off: its directory is not trusted any more";
    case "not there":
      return "off: its directory is not there any more";
    default:
      return why satisfies never;
  }
}
