/** From the checked fields of `on` to what starts a workflow. */
import type { z } from "zod";
import type { Json } from "../../model.ts";
import type { CronTime, FileTrigger } from "../../schedule/starts.ts";
import type { Workflow } from "../document.ts";
import type { starts } from "../schema/starts.ts";

type Given = z.output<typeof starts>;
const listOf = <T>(given: T | T[] | null | undefined): T[] =>
  given === null || given === undefined ? [] : Array.isArray(given) ? given : [given];

/** Nothing where none is given. */
export function startsOf(data: Given | null | undefined): Pick<Workflow, "on"> {
  if (data === null || data === undefined) return {};
  return {
    on: {
      times: listOf(data.schedule).map(timeOf),
      files: filesOf(data.file_changed),
      missed: data.missed ?? "tell",
      overlap: data.overlap ?? "skip",
      inputs: (data.inputs ?? {}) as { [name: string]: Json },
    },
  };
}

function timeOf(given: string | { cron: string; zone?: string | null | undefined }): CronTime {
  if (typeof given === "string") return { cron: given };
  const { cron, zone } = given;
  return zone === null || zone === undefined ? { cron } : { cron, zone };
}

function filesOf(given: Given["file_changed"]): FileTrigger | null {
  if (given === null || given === undefined) return null;
  if (typeof given !== "object" || Array.isArray(given)) return { paths: listOf(given).map(String), ignore: [] };
  const { paths, ignore, input } = given;
  return {
    paths: listOf(paths).map(String),
    ignore: listOf(ignore).map(String),
    ...(input === null || input === undefined ? {} : { input: String(input) }),
  };
}
