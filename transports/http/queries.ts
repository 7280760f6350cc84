/** What stands in the query of a request, as zod sees it: checked on its way in, and documented. */
import { z } from "zod";
import { Cwd, RUN_STATES } from "./schemas.ts";

/** So many entries at most has a list. */
export const MAX_LIMIT = 1_000;

/** A whole number in digits; what else a program would read as one is none. */
const whole = (schema: z.ZodNumber) =>
  z.preprocess((word) => (typeof word === "string" && /^-?\d{1,15}$/.test(word) ? Number(word) : word), schema);
const limit = whole(z.number().int().min(1).max(MAX_LIMIT)).optional();
export const RunsQuery = z.strictObject({
  workflow: z.string().optional(),
  status: z.enum(RUN_STATES).optional(),
  resumable: z.enum(["true", "false"]).optional(),
  open: z.enum(["true", "false"]).optional().describe("Whether they have no end; false: those that have one."),
  cwd: Cwd.optional().describe("Those of this directory; of any by default."),
  limit,
});
export const RowsQuery = z.strictObject({
  after: whole(z.number().int().min(0)).optional().describe("A seq; from the run's first row by default."),
  until: whole(z.number().int().min(0)).optional().describe("The last seq; to the end by default."),
  step: z.string().optional().describe("The path of a step, as its rows have it."),
  of: z.string().optional().describe("The run of that step, where it is a called one; the run itself by default."),
});
export const EventsQuery = z.strictObject({
  after: whole(z.number().int().min(0))
    .optional()
    .describe("The seq of the last row that is known; `Last-Event-ID` goes before it."),
  live: z.enum(["true", "false"]).default("true").describe("Whether text is sent as it comes, before it is committed."),
  whole: z
    .enum(["true", "false"])
    .default("false")
    .describe(
      "Of a run: with all rows that it stands among, as those of runs that it calls; such a stream has no end.",
    ),
});
const time = z.iso.datetime({ offset: true }).optional();
export const HistoryQuery = z.strictObject({
  workflow: z.string().optional(),
  status: z
    .enum([...RUN_STATES, "success"])
    .optional()
    .describe("Of those that have ended; success is AWF's word for completed."),
  since: time,
  until: time,
  limit,
});
