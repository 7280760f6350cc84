/**
 * A run's log, or a session's, as server-sent events.
 *
 * I1. A committed row is an event with its `seq` as id and its type as name; a live chunk is a `live` event without id,
 *     so that a reader who comes back does so from what is committed.
 * I2. Where the log lacks rows, a `gap` event stands in their place and says which.
 * I3. What several readers are sent of the same frames is encoded once.
 */
import { type Exchange, type Frame, isLive } from "../../machines/exchange.ts";
import { folding, type Projection } from "../shared/projection.ts";

export type SseOptions = {
  /** The rows of one run; a run that it calls has a stream of its own. Null for the whole session. */
  run: string | null;
  /** The seq of the last row that the reader has. */
  after: number;
  live: boolean;
};
/** `bytes` may be shared with others. `isOver`: the run has ended, and nothing more of it will come. */
export type SseBatch = { bytes: Uint8Array; isOver: boolean };
type Shared = { from: number; count: number; last: Frame; options: SseOptions; batch: SseBatch; seq: number };

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();
/** What was made last of the frames that begin with this one: readers that are up to date are all brought the same. */
const shared = new WeakMap<Frame, Shared>();

/** One frame as an event. */
export const sseEvent = (frame: Frame): string =>
  isLive(frame)
    ? `event: live\ndata: ${JSON.stringify(frame)}\n\n`
    : // Line breaks of the data are escaped by JSON; types are ours, but a log may hold one from elsewhere.
      `id: ${frame.seq}\nevent: ${frame.type.replace(/[\r\n]/g, " ")}\ndata: ${JSON.stringify(frame)}\n\n`;

/** The frame that an event brings; null for the others (`gap`, `fault`, and what is not known here). */
export function frameOf(told: { id: string | undefined; event: string | undefined; data: string }): Frame | null {
  const isFrame = told.event === "live" || told.id !== undefined;
  return isFrame ? (JSON.parse(told.data) as Frame) : null;
}

/** The last event of a log that cannot be written any more, or of a session that was deleted. */
export const sseFault = ({ code, message }: { code: string; message: string }): Uint8Array =>
  encoder.encode(`event: fault\ndata: ${JSON.stringify({ code, message })}\n\n`);

/**
 * The events of one reader, batch after batch of what its log brings.
 * @example session.log$({ after, paused$ }).pipe(sseEvents({ run: null, after, live: true })).subscribe(({ bytes }) => response.write(bytes));
 */
export const sseEvents = (options: SseOptions): Projection<SseBatch> =>
  folding(
    () => ({ seq: options.after }),
    (last, frames: readonly Frame[]) => {
      const { batch, seq } = sharedOf(frames, last.seq, options);
      last.seq = seq;
      return batch;
    },
  );

/** I3. `after`: the seq of the last row that the reader has. */
function sharedOf(frames: readonly Frame[], after: number, options: SseOptions): Pick<Shared, "batch" | "seq"> {
  const [first] = frames;
  const last = frames.at(-1);
  if (first === undefined || last === undefined) return { batch: { bytes: NOTHING, isOver: false }, seq: after };
  const known = shared.get(first);
  if (known !== undefined && known.from === after && known.last === last && known.count === frames.length)
    if (known.options.run === options.run && known.options.live === options.live) return known;
  const { text, isOver, seq } = eventsOf(frames, after, options);
  const batch = { bytes: text === "" ? NOTHING : encoder.encode(text), isOver };
  const made = { from: after, count: frames.length, last, options, batch, seq };
  shared.set(first, made);
  return made;
}

function eventsOf(
  frames: readonly Frame[],
  after: number,
  { run, live }: SseOptions,
): { text: string; isOver: boolean; seq: number } {
  let seq = after;
  let text = "";
  for (const frame of frames) {
    const belongs = run === null || frame.run === run;
    if (isLive(frame)) {
      if (live && belongs) text += sseEvent(frame);
      continue;
    }
    if (frame.seq <= seq) continue;
    if (frame.seq > seq + 1) text += gap(seq + 1, frame.seq - 1);
    seq = frame.seq;
    if (!belongs) continue;
    text += sseEvent(frame);
    if (isEnd(frame, run)) return { text, isOver: true, seq };
  }
  return { text, isOver: false, seq };
}

const gap = (from: number, to: number): string => `event: gap\ndata: ${JSON.stringify({ from, to })}\n\n`;
const isEnd = (row: Exchange, run: string | null): boolean => row.type === "run.completed" && row.run === run;
