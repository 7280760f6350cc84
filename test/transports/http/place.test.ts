/** Covers `events/place.ts`: a client that goes while its stream is prepared, which takes milliseconds. */
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { NEVER } from "rxjs";
import { expect, test } from "vitest";
import type { Troupe } from "../../../actors/troupe.ts";
import type { EndpointCall, Exchanged } from "../../../transports/http/endpoint.ts";
import { changes } from "../../../transports/http/endpoints/changes.ts";
import { events } from "../../../transports/http/endpoints/events.ts";
import { Quota } from "../../../transports/serve/quota.ts";

const LIMITS = { heartbeatMs: 60_000, stallMs: 60_000 };
/** An answer whose client has gone: it has closed already. */
const gone = (): Exchanged =>
  ({
    request: { method: "GET", httpVersionMajor: 2 },
    response: Object.assign(new EventEmitter(), {
      stream: { destroyed: true },
      writeHead: () => undefined,
      flushHeaders: () => undefined,
      write: () => false,
    }) as unknown as ServerResponse,
  }) as Exchanged;

test.each(["followChanges", "followSession"])("%s begins nothing for a client that has gone", async (id) => {
  const begun: string[] = [];
  const troupe = {
    watchRuns: () => {
      begun.push("watchRuns");
      return () => undefined;
    },
    open: async () => ({
      log$: () => {
        begun.push("log$");
        return NEVER;
      },
    }),
  } as unknown as Troupe;
  const readers = new Quota({ max: 1, maxEach: 1 });
  const found = [...changes(LIMITS, readers), ...events(LIMITS, readers)].find((one) => one.id === id);
  const call = { troupe, subject: null, params: { session: "s" }, query: {}, header: () => undefined };
  const reply = await found?.handle(call as unknown as EndpointCall);
  if (reply === undefined || !("stream" in reply)) throw new Error("no stream");
  expect(readers.count).toBe(1);
  reply.stream(gone());
  expect([begun, readers.count]).toEqual([[], 0]);
});
