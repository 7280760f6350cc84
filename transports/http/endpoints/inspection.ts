/** What the machines of this server do, for the user who runs it: to others it is not there. */
import { TroupeError } from "../../../actors/troupe.ts";
import type { Observed } from "../../inspect/observed.ts";
import type { Quota } from "../../serve/quota.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { tellInspections } from "../events/inspection-reader.ts";
import { readerReply } from "../events/place.ts";
import type { ReaderLimits } from "../events/stream.ts";

/** `observed`: null where inspection is off. */
export const inspection = (observed: Observed | null, limits: ReaderLimits, readers: Quota): readonly Endpoint[] => [
  endpoint({
    method: "get",
    path: "/api/inspection",
    id: "followInspection",
    tag: "Events",
    summary:
      "What the machines do, as messages of Stately's inspector; 404 but for the user of a server with --inspect",
    answers: { 200: { description: "Events", type: "text/event-stream" } },
    problems: [404, 429],
    handle: async ({ subject }) => {
      if (observed === null || subject !== null)
        throw new TroupeError(
          "USER.SERVE.NOT_INSPECTED",
          "this server's machines are not inspected: start it with --inspect, and come as the user who runs it",
        );
      return readerReply(readers, "", (exchanged) => tellInspections(observed, exchanged, limits));
    },
  }),
];
