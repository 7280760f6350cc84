/**
 * The open tool-call cards of a session: what each shows, and when it is shown again.
 *
 * I1. A card's content is sent whole (it replaces in v1), at most once in CARD_INTERVAL_MS while it is open.
 * I2. The last state of a card is sent with its end.
 * I3. A card that ends has ended: `close` sends one update and forgets the card.
 * I4. A reader that comes later is shown each open card once, whole.
 * I5. A command's output goes to a terminal of the reader's where it has said that it shows one (`terminal-output.ts`),
 *     and into the content elsewhere.
 */
import type { ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind } from "@agentclientprotocol/sdk";
import type { Status } from "../../machines/model.ts";
import { Tail } from "./tail.ts";
import { TerminalOutput, type TerminalPlace } from "./terminal-output.ts";
import { CANCELLED_META, textContent, type View } from "./view.ts";

export const CARD_INTERVAL_MS = 250;
/** Of two times to wait; null is no time at all. */
export const sooner = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);
const MAX_NOTES = 5;
const PARAGRAPH = "\n\n";

/** Fields of an update beside its id. An absent field leaves the card as it is. */
export type CardFields = {
  title?: string;
  kind?: ToolKind;
  status?: ToolCallStatus;
  content?: ToolCallContent[];
  locations?: ToolCallLocation[];
  rawInput?: unknown;
  rawOutput?: unknown;
  _meta?: { [name: string]: unknown };
};
/** `run` and `step` say what the card belongs to: it ends with them at the latest. */
export type CardHead = { id: string; run: string; step: string; title: string; kind: ToolKind; fenced: boolean };
export type Card = {
  readonly id: string;
  readonly run: string;
  readonly step: string;
  blocks: ToolCallContent[];
  readonly notes: string[];
  readonly tail: Tail;
  /** The text whose words the tail ends with, of an agent that has the card. */
  speaks: string | null;
  /** What was said of it last, beside its content. */
  fields: CardFields;
  /** What shows its output in place of the tail. */
  readonly terminal: TerminalOutput | null;
  /** Its content differs from what was sent. */
  changed: boolean;
  /** When its content was last sent, in the scheduler's milliseconds. */
  sentAt: number;
};
/** `meta`: what a program may want to know of how it ended. */
export type CardEnd = {
  status: Status;
  note?: string;
  rawOutput?: unknown;
  exitCode?: number;
  meta?: { [name: string]: unknown };
};

export class Cards {
  readonly #open = new Map<string, Card>();
  readonly #changed = new Set<Card>();
  readonly #terminals: TerminalPlace | null;
  #now = 0;
  /** `terminals`: where commands run, for a reader that shows their output in terminals. */
  constructor(terminals: TerminalPlace | null) {
    this.#terminals = terminals;
  }

  /** Begins a batch of frames at this time of the scheduler. */
  begin(now: number): void {
    this.#now = now;
  }

  get(id: string): Card | undefined {
    return this.#open.get(id);
  }

  /** A new card; `fields` are sent with it. An open card of that id is updated. */
  open({ id, run, step, title, kind, fenced }: CardHead, fields: CardFields, views: View[]): Card {
    const { content, status = "in_progress", ...rest } = fields;
    const known = this.#open.get(id);
    const card: Card = known ?? {
      id,
      run,
      step,
      blocks: [],
      notes: [],
      tail: new Tail(fenced),
      speaks: null,
      fields: {},
      terminal:
        this.#terminals === null || !fenced || kind !== "execute" ? null : new TerminalOutput(id, this.#terminals),
      changed: false,
      sentAt: Number.NEGATIVE_INFINITY,
    };
    this.#open.set(id, card);
    if (content) card.blocks = content;
    card.fields = { ...card.fields, title, kind, status, ...rest };
    const head = { toolCallId: id, title, kind, status, ...rest };
    const shown = content ? { content: contentOf(card) } : {};
    if (known) views.push({ update: { sessionUpdate: "tool_call_update", ...head, ...shown } });
    else {
      const meta = card.terminal === null ? {} : { _meta: { ...rest._meta, ...card.terminal.announced } };
      views.push({ update: { sessionUpdate: "tool_call", ...head, ...shown, ...meta } });
    }
    return card;
  }

  update(card: Card, fields: CardFields, views: View[]): void {
    const { content, ...rest } = fields;
    if (content) {
      card.blocks = content;
      this.#change(card);
    }
    card.fields = { ...card.fields, ...rest };
    if (Object.keys(rest).length > 0)
      views.push({ update: { sessionUpdate: "tool_call_update", toolCallId: card.id, ...rest } });
  }

  /** Words of an agent; another text of it is another paragraph. */
  speak(card: Card, id: string, text: string): void {
    if (card.speaks !== null && card.speaks !== id) card.tail.add(PARAGRAPH);
    card.speaks = id;
    this.say(card, text);
  }
  say(card: Card, text: string): void {
    (card.terminal ?? card.tail).add(text);
    this.#change(card);
  }

  /** A line of ours in the card; what a former attempt said makes room. */
  note(card: Card, line: string): void {
    card.notes.push(line);
    if (card.notes.length > MAX_NOTES) card.notes.shift();
    card.tail.clear();
    card.speaks = null;
    this.#change(card);
  }

  close(card: Card, end: CardEnd, views: View[], fields: CardFields = {}): void {
    const { content, status: _, ...rest } = fields;
    if (content) card.blocks = content;
    const shown = content || card.changed || end.note !== undefined ? { content: contentOf(card, end.note) } : {};
    this.#settle(card);
    this.#open.delete(card.id);
    const { _meta, ...ending } = endFields(end);
    const meta = metaOf({ ..._meta, ...card.terminal?.ended(end.exitCode ?? null) });
    views.push({
      update: { sessionUpdate: "tool_call_update", toolCallId: card.id, ...rest, ...ending, ...shown, ...meta },
    });
  }

  closeWhere(belongs: (card: Card) => boolean, end: CardEnd, views: View[]): void {
    for (const card of this.#open.values()) if (belongs(card)) this.close(card, end, views);
  }

  /** All open cards as they are, for a reader that was not shown what is behind the row `after` (I4). */
  tell(after: number, views: View[]): void {
    for (const card of this.#open.values()) {
      this.#settle(card);
      card.sentAt = this.#now;
      const { id: toolCallId, terminal } = card;
      const { title = toolCallId, ...fields } = card.fields;
      terminal?.again(after);
      const content = contentOf(card);
      const shown = content.length === 0 ? {} : { content };
      const meta = metaOf({ ...fields._meta, ...terminal?.announced });
      views.push({ update: { sessionUpdate: "tool_call", toolCallId, title, ...fields, ...shown, ...meta } });
      // Output is looked for in updates of a card, not where it is announced.
      const fresh = metaOf({ ...terminal?.fresh() });
      if (fresh._meta) views.push({ update: { sessionUpdate: "tool_call_update", toolCallId, ...fresh } });
    }
  }

  /** Shows the cards whose turn it is. */
  flush(views: View[]): void {
    for (const card of this.#changed) {
      if (this.#now - card.sentAt < CARD_INTERVAL_MS) continue;
      this.#settle(card);
      card.sentAt = this.#now;
      const meta = metaOf({ ...card.terminal?.fresh() });
      views.push({
        update: { sessionUpdate: "tool_call_update", toolCallId: card.id, content: contentOf(card), ...meta },
      });
    }
  }

  /** Milliseconds until some card is to be shown again; null when none waits. */
  due(): number | null {
    let due: number | null = null;
    for (const { sentAt } of this.#changed) {
      const wait = Math.max(0, sentAt + CARD_INTERVAL_MS - this.#now);
      if (due === null || wait < due) due = wait;
    }
    return due;
  }

  #change(card: Card): void {
    card.changed = true;
    this.#changed.add(card);
  }
  #settle(card: Card): void {
    card.changed = false;
    this.#changed.delete(card);
  }
}

/** The fields that say how a card ended. v1 has no cancelled status: it is a failure with a mark (C10). */
export function endFields({ status, rawOutput, meta = {} }: CardEnd): CardFields {
  const raw = rawOutput === undefined ? {} : { rawOutput };
  switch (status) {
    case "completed":
    case "skipped":
      return { status: "completed", ...raw };
    case "failed":
      return { status: "failed", ...raw, ...metaOf(meta) };
    case "cancelled":
      return { status: "failed", ...raw, _meta: CANCELLED_META };
    default:
      return status satisfies never;
  }
}

const metaOf = (meta: { [name: string]: unknown }): Pick<CardFields, "_meta"> =>
  Object.keys(meta).length === 0 ? {} : { _meta: meta };

function contentOf({ blocks, notes, tail, terminal }: Card, last?: string): ToolCallContent[] {
  const said = tail.show();
  const lines = [...notes, ...(said === null ? [] : [said]), ...(last === undefined ? [] : [last])];
  return [...blocks, ...(terminal?.content ?? []), ...lines.map(textContent)];
}
