/** Says that something of the runs has changed, for a page that shows many; what has changed, it asks for. */
import type { Quota } from "../../serve/quota.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { tellChanges } from "../events/changes-reader.ts";
import { readerReply } from "../events/place.ts";
import type { ReaderLimits } from "../events/stream.ts";

export const changes = (limits: ReaderLimits, readers: Quota): readonly Endpoint[] => [
  endpoint({
    method: "get",
    path: "/api/changes",
    id: "followChanges",
    tag: "Events",
    summary: "An event whenever a run has begun, ended, asks, or is at another step; not which",
    answers: { 200: { description: "Events", type: "text/event-stream" } },
    problems: [429],
    handle: async ({ troupe, subject }) =>
      readerReply(readers, subject ?? "", (exchanged) =>
        tellChanges((changed) => troupe.watchRuns(changed), exchanged, limits),
      ),
  }),
];
