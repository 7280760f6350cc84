/**
 * One reader of changes.
 *
 * I1. It hears at most once in EVERY_MS, however much changes, and once more for what came meanwhile.
 * I2. One that takes nothing gets nothing, and is cut off after `stallMs`; one that takes something again hears of what
 *     came meanwhile.
 */
import type { Exchanged } from "../endpoint.ts";
import type { ReaderLimits } from "./reader.ts";

const EVERY_MS = 500;
const HEAD = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

export type { ReaderLimits };

/** `watch` begins to listen and answers what ends that. */
export function tellChanges(
  watch: (changed: () => void) => () => void,
  { request, response }: Exchanged,
  { heartbeatMs, stallMs }: ReaderLimits,
): void {
  if (request.method === "HEAD") return void response.writeHead(200, HEAD).end();
  let stall: NodeJS.Timeout | undefined;
  let rest: NodeJS.Timeout | undefined;
  let isDue = false;
  const write = (text: string): void => {
    if (stall === undefined && !response.write(text)) stall = setTimeout(() => response.destroy(), stallMs);
  };
  const tell = (): void => {
    if (stall !== undefined) return; // told once it takes something again
    isDue = false;
    write("event: changed\ndata: {}\n\n");
    rest = setTimeout(() => {
      rest = undefined;
      if (isDue) tell();
    }, EVERY_MS);
  };
  // Where nothing can be heard this throws, and is answered with a problem.
  const unwatch = watch(() => {
    isDue = true;
    if (rest === undefined) tell();
  });
  response.writeHead(200, HEAD);
  response.flushHeaders();
  const heart = setInterval(() => write(": still here\n\n"), heartbeatMs);
  response.on("drain", () => {
    clearTimeout(stall);
    stall = undefined;
    if (isDue && rest === undefined) tell();
  });
  response.on("close", () => {
    unwatch();
    clearInterval(heart);
    clearTimeout(rest);
    clearTimeout(stall);
  });
  response.on("error", () => undefined); // its close says the same
}
