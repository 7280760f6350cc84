/**
 * Writes down a conversation while it is going. H48.
 *
 * I1. A frame is written before it is passed on: everything that was sent or shown is here.
 * I2. The index is written when a conversation opens, when a turn ends, and at the end. Later frames are read from the
 *     frames themselves.
 * I3. What `session/load` repeats is here already, and is not written twice.
 */
import type { ConversationHead, KeptEntry, KeptNote, KeptPart, WireFrame } from "../../machines/conversation/entry.ts";
import { type ConversationIndex, indexBegun, indexed } from "../../machines/conversation/index-of.ts";
import { FrameMask, type FrameMasking } from "../acp-client/frames/frame-mask.ts";
import { keepIndex, readIndex } from "./index-file.ts";
import { SEGMENT_LIMITS, type SegmentLimits, Segments } from "./segments.ts";

export type RecorderParts = { mask: FrameMasking; now: () => number; limits?: SegmentLimits };

export class Recorder {
  readonly #folder: string;
  readonly #masks: { sent: FrameMask; got: FrameMask };
  readonly #now: () => number;
  readonly #segments: Segments;
  #index: ConversationIndex;
  /** Repeated frames are left out. */
  tellsAgain = false;
  #isClosed = false;

  /** `head`: of a new conversation; null continues the one that is in the folder. */
  constructor(folder: string, head: ConversationHead | null, { mask, now, limits = SEGMENT_LIMITS }: RecorderParts) {
    this.#folder = folder;
    this.#masks = { sent: new FrameMask(mask), got: new FrameMask(mask) };
    this.#now = now;
    const before = head === null ? readIndex(folder) : indexBegun(head, now());
    if (before === null) throw new Error(`there is no conversation in ${folder}`);
    this.#index = before;
    this.#segments = new Segments(folder, () => JSON.stringify(this.#entry({ head: this.#index.head })), limits);
    try {
      if (head !== null) this.#write({ head });
      this.checkpoint();
    } catch (error) {
      this.#segments.close();
      throw error;
    }
  }

  get index(): ConversationIndex {
    return this.#index;
  }
  sent(frame: WireFrame): void {
    for (const one of this.#masks.sent.frames(frame)) this.#write({ sent: one });
  }
  got(frame: WireFrame): void {
    if (this.tellsAgain && frame.method === "session/update") return;
    const before = this.#index.turn;
    for (const one of this.#masks.got.frames(frame)) this.#write({ got: one });
    if (before !== this.#index.turn) this.checkpoint();
  }
  note(note: KeptNote): void {
    this.#rest();
    this.#write({ note });
    this.checkpoint();
  }
  checkpoint(): void {
    keepIndex(this.#folder, { index: this.#index, place: this.#segments.place });
  }
  /** A second call does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#rest();
    this.#isClosed = true;
    this.checkpoint();
    this.#segments.close();
  }

  #rest(): void {
    for (const one of this.#masks.got.rest()) this.#write({ got: one });
  }
  #write(kept: KeptPart): void {
    if (this.#isClosed) return;
    const entry = this.#entry(kept);
    this.#segments.append(JSON.stringify(entry));
    this.#index = indexed(this.#index, entry);
  }
  #entry(kept: KeptPart): KeptEntry {
    return { seq: this.#index.seq + 1, at: this.#now(), ...kept };
  }
}
