/**
 * One reader of what this process's durable machines do: the messages of Stately's inspector, one an event.
 *
 * I1. The first event, `begin`, says that all that is known follows anew: who has come again forgets what it knew.
 * I2. One that takes nothing is sent nothing, and cut off after `stallMs`, or when too much waits for it.
 */
import type { Observed } from "../../inspect/observed.ts";
import type { Exchanged } from "../endpoint.ts";
import { eventStream, isHeadAlone, type ReaderLimits } from "./stream.ts";

export function tellInspections(observed: Observed, exchanged: Exchanged, limits: ReaderLimits): void {
  if (isHeadAlone(exchanged)) return;
  const stream = eventStream(exchanged, limits, { free: () => free(), gone: () => end() });
  stream.write("event: begin\ndata: {}\n\n");
  const { end, free } = observed.follow({
    session: null,
    send: (text) => stream.write(`data: ${text}\n\n`),
    together: (sends) => sends(), // a corked answer may say that it is full, and never that it is free
    tooSlow: () => exchanged.response.destroy(),
  });
}
