/**
 * One reader of what this process's durable machines do: the messages of Stately's inspector, one an event.
 *
 * I1. The first event, `begin`, says that all that is known follows anew: who has come again forgets what it knew.
 * I2. One that takes nothing is sent nothing, and cut off after `stallMs`, or when too much waits for it.
 */
import type { Observed } from "../../inspect/observed.ts";
import type { Exchanged } from "../endpoint.ts";
import type { ReaderLimits } from "./reader.ts";

const HEAD = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

export function tellInspections(
  observed: Observed,
  { request, response }: Exchanged,
  { heartbeatMs, stallMs }: ReaderLimits,
): void {
  response.writeHead(200, HEAD);
  if (request.method === "HEAD") return void response.end();
  let stall: NodeJS.Timeout | undefined;
  const write = (text: string): boolean => {
    const takesMore = response.write(text);
    if (!takesMore) stall ??= setTimeout(() => response.destroy(), stallMs);
    return takesMore;
  };
  write("event: begin\ndata: {}\n\n");
  const { end, free } = observed.follow({
    session: null,
    send: (text) => write(`data: ${text}\n\n`),
    together: (sends) => sends(), // a corked answer may say that it is full, and never that it is free
    tooSlow: () => response.destroy(),
  });
  const heart = setInterval(() => {
    if (stall === undefined) write(": still here\n\n");
  }, heartbeatMs);
  response.on("drain", () => {
    clearTimeout(stall);
    stall = undefined;
    free();
  });
  response.on("close", () => {
    end();
    clearInterval(heart);
    clearTimeout(stall);
  });
  response.on("error", () => undefined); // its close says the same
}
