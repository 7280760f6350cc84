/**
 * What is told of a conversation to who follows it: without secrets, as what is kept of it. H44.
 *
 * I1. Text that comes in pieces is masked as the one text that it is; what is held back of it comes before all that ends it.
 */
import type { ChatEvent } from "../../machines/conversation/event.ts";
import { fieldOf } from "../../machines/conversation/index-of.ts";
import type { Json } from "../../machines/model.ts";
import { FrameMask, type FrameMasking } from "../acp-client/frames/frame-mask.ts";
import { exchanged } from "../masking/walk.ts";

export class Telling {
  readonly #mask: FrameMasking;
  readonly #pieces: FrameMask;
  readonly #hearers = new Set<(event: ChatEvent) => void>();
  constructor(mask: FrameMasking) {
    this.#mask = mask;
    this.#pieces = new FrameMask(mask);
  }

  follow(hear: (event: ChatEvent) => void): () => void {
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  }
  tell(event: ChatEvent): void {
    if (event.type === "state") return this.#hear(event);
    this.#updates(this.#pieces.rest());
    const by = { text: (text: string) => this.#mask.text(text), number: (number: number) => number };
    this.#hear(exchanged(event, by) as ChatEvent);
  }
  update(update: Json): void {
    const params = { sessionId: "", update };
    this.#updates(this.#pieces.frames({ method: "session/update", params }));
  }

  #updates(frames: ReturnType<FrameMask["rest"]>): void {
    for (const { params } of frames) this.#hear({ type: "update", update: fieldOf(params, "update") });
  }
  #hear(event: ChatEvent): void {
    for (const hear of this.#hearers) hear(event);
  }
}
