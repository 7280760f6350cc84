/** What starts by itself, seen by the user of this machine alone. It is enabled where that user sits: on the command line. */
import { z } from "zod";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { Place } from "../schemas.ts";

const Time = z.number().describe("Milliseconds since the epoch.");
const Schedule = z.looseObject({
  cwd: z.string(),
  isHere: z.boolean().describe("Of the directory that was asked for."),
  workflow: z.string(),
  file: z.string().nullable().describe("The workflow's file, links followed."),
  on: z.looseObject({}).describe("What starts it, as its file said when it was enabled."),
  state: z.enum(["enabled", "off", "not enabled"]),
  off: z
    .looseObject({
      at: Time,
      why: z.enum(["disabled", "changed", "not trusted", "not there"]),
      files: z.array(z.string()),
    })
    .nullable()
    .describe("Why nothing is started any more."),
  next: Time.nullable().describe("The next time. Milliseconds since the epoch."),
  last: z.looseObject({ id: z.string(), status: z.string() }).nullable().describe("The run that it started last."),
  deeds: z.array(z.looseObject({ type: z.string(), at: Time })).describe("What it has come to, latest first."),
  files: z.array(z.string()).describe("A change of one of these turns it off."),
});

export const schedules: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/api/schedules",
    id: "listSchedules",
    tag: "Schedules",
    summary: "What starts by itself, and the workflows of a directory that could",
    query: Place,
    answers: {
      200: {
        description: "The list, and whether a process serves schedules now",
        schema: z.object({ served: z.boolean(), schedules: z.array(Schedule) }),
      },
    },
    problems: [400, 403],
    handle: async ({ troupe, cwd, query }) => {
      const all = await troupe.schedules();
      return { status: 200, body: { served: all.isServed(), schedules: await all.list(query.cwd ?? cwd) } };
    },
  }),
];
