/** The fields of `on`: what starts a workflow by itself. */
import { z } from "zod";
import { choice, list, opt, record, text, texts } from "./fields.ts";

const TIME = "five fields of cron in quotes, or a map with cron and zone";
const words = () => z.string({ error: "text" });
const time = z.strictObject(
  {
    cron: words().describe("Five fields: minute, hour, day, month, weekday."),
    zone: opt(words()).describe(
      "Its time zone, such as Europe/Zurich; by default that of the machine where you enable it.",
    ),
  },
  { error: TIME },
);
const oneTime = z.union([z.string(), time], { error: TIME });
const files = z.strictObject(
  {
    paths: z
      .union([texts(), text()], { error: "a glob, or a list of globs" })
      .describe("Globs of files within the repository."),
    ignore: opt(z.union([texts(), text()], { error: "a glob, or a list of globs" })).describe(
      "Globs of files that start nothing; `.git` and `node_modules` never do.",
    ),
    input: opt(text()).describe("The input that is given the paths that have changed, one a line."),
  },
  { error: "a map with paths, ignore and input" },
);
export const starts = z.strictObject(
  {
    schedule: opt(z.union([oneTime, list(oneTime, `a list of ${TIME}`)], { error: TIME })).describe(
      "Times of cron, one or a list.",
    ),
    file_changed: opt(z.union([text(), texts(), files], { error: "globs, or a map with paths" })).describe(
      "Files whose change starts it: globs, or a map.",
    ),
    missed: opt(choice(["tell", "run"])).describe(
      "What becomes of times at which nobody served: `tell`, they are told; `run`, one run makes up for them. `tell` by default.",
    ),
    overlap: opt(choice(["skip", "allow"])).describe(
      "While an earlier run goes on or waits: `skip`, nothing is started; `allow`, a run beside it. `skip` by default.",
    ),
    inputs: opt(record()).describe("What its runs are given, by the inputs' names."),
  },
  { error: "a map with schedule, file_changed, missed, overlap and inputs" },
);
