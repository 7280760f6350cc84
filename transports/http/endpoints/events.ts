/**
 * The log as it grows, over server-sent events.
 *
 * I1. Any number of readers sees everything in order; more than a server holds are refused.
 * I2. A run's own events have an end, and who has all of them is told so; with all rows that it stands among they have none.
 * I3. Who has read further than the log goes, as where an older copy of the store was put back, is refused: what comes
 *     would be passed over as known. So is an id that is none: all would come again, as if nothing was known.
 */
import type { z } from "zod";
import { type RunRecord, type Session, TroupeError } from "../../../actors/troupe.ts";
import type { Quota } from "../../serve/quota.ts";
import { type Endpoint, type EndpointCall, endpoint, type Reply } from "../endpoint.ts";
import { readerReply } from "../events/place.ts";
import { readEvents } from "../events/reader.ts";
import type { ReaderLimits } from "../events/stream.ts";
import { EventsQuery } from "../queries.ts";

const ANSWERS = { 200: { description: "Events", type: "text/event-stream" } };
const RUN_ANSWERS = {
  200: { description: "Events, until the run has ended", type: "text/event-stream" },
  204: { description: "The run has ended and the reader has all of it: a browser does not come again" },
};
const HEADERS = {
  "Last-Event-ID": "The id of the last event that is known: a browser that comes back sends it by itself.",
};
const SEQ = /^\d{1,15}$/;

/** I3. What a browser sends that comes back; null where it has heard of no event. Throws USER.SERVE.INVALID_REQUEST. */
function lastOf(header: string | undefined): number | null {
  if (header === undefined || header === "") return null;
  if (SEQ.test(header)) return Number(header);
  const message =
    "Last-Event-ID: expected the id of an event, which is a number: leave it out to read from the beginning";
  throw new TroupeError("USER.SERVE.INVALID_REQUEST", message);
}

type Followed = Pick<Session, "log$" | "head" | "rows">;

/** I3. `begin`: the place before the first row that is asked for. Throws USER.SERVE.INVALID_REQUEST. */
function refuseBeyond(log: Followed, after: number, begin: number): void {
  if (after <= begin || after <= log.head()) return;
  // What another process has written may not be counted here yet.
  if (log.rows(after - 1, 1).length > 0) return;
  const message = `after: the log ends at row ${log.head()}, before row ${after}: read it again from its beginning`;
  throw new TroupeError("USER.SERVE.INVALID_REQUEST", message);
}

/** The endpoints of one server. `readers`: the places of those who read a stream. */
export function events(limits: ReaderLimits, readers: Quota): readonly Endpoint[] {
  const follow = (
    session: Followed,
    run: RunRecord | null,
    { query, header, subject }: EndpointCall<z.output<typeof EventsQuery>>,
  ): Reply => {
    // A browser that comes back sends the id of the last event by itself, with the address that it had.
    const asked = lastOf(header("last-event-id")) ?? query.after ?? 0;
    const after = Math.max(asked, (run?.firstSeq ?? 1) - 1);
    const only = query.whole === "true" ? null : run;
    if (only !== null && only.lastSeq !== null && after >= only.lastSeq) return { status: 204 };
    refuseBeyond(session, after, (run?.firstSeq ?? 1) - 1);
    return readerReply(readers, subject ?? "", (exchanged) =>
      readEvents(session, exchanged, { run: only?.id ?? null, after, live: query.live === "true" }, limits),
    );
  };
  const ofRun = (path: string, name: string, id: string, tag: Endpoint["tag"]): Endpoint =>
    endpoint({
      method: "get",
      path,
      id,
      tag,
      summary: "The log of a run as it grows: ids are its seqs, text that is not committed yet comes as `live`",
      query: EventsQuery,
      headers: HEADERS,
      answers: RUN_ANSWERS,
      problems: [400, 404, 429],
      handle: async (call) => {
        const log = await call.troupe.log(call.params[name] ?? "");
        return follow(log, log.record, call);
      },
    });
  return [
    ofRun("/api/runs/{run}/events", "run", "followRun", "Events"),
    ofRun("/api/executions/{id}/events", "id", "followExecution", "AWF"),
    endpoint({
      method: "get",
      path: "/api/sessions/{session}/events",
      id: "followSession",
      tag: "Events",
      summary: "The whole log of a session as it grows, all its runs and turns",
      query: EventsQuery,
      headers: HEADERS,
      answers: ANSWERS,
      problems: [400, 404, 429],
      handle: async (call) => follow(await call.troupe.open(call.params["session"] ?? ""), null, call),
    }),
  ];
}
