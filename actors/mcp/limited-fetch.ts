/**
 * `fetch` for a server's messages.
 *
 * I1. A message that is too long is not read: its response breaks off with an error that says so. Of a stream of events
 *     each event counts for itself, of anything else all of it.
 */
import type { FetchLike } from "@modelcontextprotocol/client";

/** The longest message that is read, in bytes; as long as a line of a server's process may be. */
export const MAX_MESSAGE = 10 * 1024 * 1024;
export const TOO_LONG = "the answer has more than 10 MiB, which is not read";
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

export const limitedFetch: FetchLike = async (url, init) => {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const isEvents = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  const grown = isEvents ? eventLength() : wholeLength();
  const limited = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      if (grown(chunk) > MAX_MESSAGE) throw new Error(TOO_LONG);
      out.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(limited), response);
};

function wholeLength(): (chunk: Uint8Array) => number {
  let length = 0;
  return ({ length: more }) => {
    length += more;
    return length;
  };
}

/** How long the event is that has not ended: an empty line ends it. */
function eventLength(): (chunk: Uint8Array) => number {
  let event = 0;
  let line = 0;
  return (chunk) => {
    let begin = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, begin)) {
      const isEmpty = line + end - begin === 0 || (line + end - begin === 1 && before(chunk, end) === CARRIAGE_RETURN);
      event = isEmpty ? 0 : event + line + end - begin;
      line = 0;
      begin = end + 1;
      if (event > MAX_MESSAGE) return event;
    }
    line += chunk.length - begin;
    return event + line;
  };
}
/** A line of one byte that lies in the piece before is taken for that carriage return. */
const before = (chunk: Uint8Array, end: number): number => (end === 0 ? CARRIAGE_RETURN : (chunk[end - 1] ?? 0));
