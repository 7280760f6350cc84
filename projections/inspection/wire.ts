/**
 * What Stately's inspector receives: the messages of `@statelyai/inspect`, as its receivers take them in.
 *
 * I1. A message is one text of JSON. What stands in it has its secrets hidden already.
 * I2. None is longer than MOST_CHARS, but for what is always there: of one that would be, the payload says how long it
 *     is.
 */
import type { Inspection, Shown } from "../../machines/inspection.ts";
import type { NumberedInspection } from "./history.ts";

/** The version of that package whose messages these are. */
export const WIRE_VERSION = "0.7.2";
export const MOST_CHARS = 256 * 1024;

/** What all messages have. `createdAt`: milliseconds since the epoch. */
type Common = { rootId: string; sessionId: string; createdAt: string; id: string; _version: string };
export type WireSnapshot = {
  value?: unknown;
  status?: string;
  tags?: string[];
  context?: unknown;
  output?: unknown;
  error?: unknown;
};
export type WireEvent = { type: string; [part: string]: unknown };
/** `definition`: the machine's configuration as JSON. */
export type ActorMessage = Common & {
  type: "@xstate.actor";
  name: string;
  parentId?: string;
  definition: string;
  snapshot: WireSnapshot;
};
export type EventMessage = Common & { type: "@xstate.event"; sourceId?: string; event: WireEvent };
export type SnapshotMessage = Common & { type: "@xstate.snapshot"; event: WireEvent; snapshot: WireSnapshot };
export type WireMessage = ActorMessage | EventMessage | SnapshotMessage;

/** I2. */
function bounded(shown: Shown, short: (chars: number) => object): string {
  const text = shown();
  return text.length <= MOST_CHARS ? text : JSON.stringify(short(text.length));
}
const tooLong = (chars: number): string => `left out: ${chars} characters`;

function common({ rootId, actorRef, at, type }: Inspection, id: string): string {
  return `{"type":"${type}","rootId":${JSON.stringify(rootId)},"sessionId":${JSON.stringify(actorRef.sessionId)},"createdAt":"${at}","id":"${id}","_version":"${WIRE_VERSION}"`;
}
const snapshotOf = (shown: Shown): string =>
  bounded(shown, (chars) => ({ status: "active", context: { troupe: tooLong(chars) } }));
/** An event is told again with the snapshot after it, which comes next: its text is made once. */
function eventOf(shown: Shown, type: string): string {
  if (LAST.shown !== shown) {
    LAST.text = bounded(shown, (chars) => ({ type, troupe: tooLong(chars) }));
    LAST.shown = shown;
  }
  return LAST.text;
}
const LAST: { shown: Shown | null; text: string } = { shown: null, text: "" };

/** A definition as a text in a text: there is one for each kind of machine, and it is long. */
function quoted(definition: string): string {
  const known = QUOTED.get(definition) ?? JSON.stringify(definition);
  QUOTED.set(definition, known);
  return known;
}
const QUOTED = new Map<string, string>();

/** One inspection as a message. */
export function wireText({ n, seen }: NumberedInspection): string {
  const head = common(seen, String(n));
  switch (seen.type) {
    case "@xstate.actor": {
      const parent = seen.parentId === null ? "" : `,"parentId":${JSON.stringify(seen.parentId)}`;
      const definition = quoted(seen.definition());
      return `${head},"name":${JSON.stringify(seen.name)}${parent},"definition":${definition},"snapshot":${snapshotOf(seen.snapshot)}}`;
    }
    case "@xstate.event": {
      const source = seen.sourceId === null ? "" : `,"sourceId":${JSON.stringify(seen.sourceId)}`;
      return `${head}${source},"event":${eventOf(seen.event, seen.eventType)}}`;
    }
    case "@xstate.snapshot":
      return `${head},"event":${eventOf(seen.event, seen.eventType)},"snapshot":${snapshotOf(seen.snapshot)}}`;
    default:
      return seen satisfies never;
  }
}
