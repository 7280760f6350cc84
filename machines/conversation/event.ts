/** The events of a conversation for the face that shows it: live, and again from the kept frames. */
import type { FileEdit } from "../exchange.ts";
import type { Json } from "../model.ts";
import type { KeptEntry, OpenedBy } from "./entry.ts";
import { fieldOf, textIn } from "./index-of.ts";

/** One answer that may be given to a question. */
export type ChatOption = {
  id: string;
  name: string;
  kind: "allow_once" | "allow_always" | "reject_once" | "reject_always";
};
/** What the agent asks before it does something. */
export type ChatQuestion = {
  id: string;
  title: string;
  message: string;
  input?: Json;
  locations: { path: string; line?: number }[];
  diffs: FileEdit[];
  options: ChatOption[];
};
/** `fate`: `changed` is a file that is no longer as the agent wrote it; `unknown`, one that cannot be told how it was. */
export type ChatEdit = FileEdit & { fate: "open" | "accepted" | "rejected" | "changed" | "unknown" };
/** Something that happened in a conversation. */
export type ChatEvent =
  /** A `session/update` of the agent, as it came. */
  | { type: "update"; update: Json }
  /** Sent to the agent: the blocks of the protocol. */
  | { type: "prompted"; blocks: Json }
  /** `outcome`: a stop reason of the protocol, or `failed`. */
  | { type: "ended"; outcome: string; why: string }
  | { type: "asked"; question: ChatQuestion }
  | { type: "answered"; question: ChatQuestion; option: string | null }
  | { type: "edited"; edit: ChatEdit }
  | { type: "opened"; by: OpenedBy }
  /** `isUnknown`: a prompt was running, and its end is unknown. */
  | { type: "lost"; why: string; isUnknown: boolean }
  | { type: "view only"; why: string }
  | { type: "notice"; message: string }
  /** Queue, modes, options, commands or the state have changed. */
  | { type: "state" };

/**
 * What a kept conversation shows, entry after entry. `asked`: the prompt that was sent last, until it is answered. Requests
 * of each connection are counted anew: where one begins, what the earlier one had not answered is over.
 */
export class KeptEvents {
  #asked: string | number | null = null;

  of(entry: KeptEntry): ChatEvent[] {
    if ("head" in entry) return [];
    if ("sent" in entry) {
      const { id = null, method, params } = entry.sent;
      if (method === "initialize") return this.#cut("its process ended");
      if (method !== "session/prompt") return [];
      this.#asked = id;
      return [{ type: "prompted", blocks: fieldOf(params, "prompt") }];
    }
    if ("note" in entry) return this.#noted(entry.note);
    const { id, method, params, result, error } = entry.got;
    if (method === "session/update") return [{ type: "update", update: fieldOf(params, "update") }];
    if (method !== undefined || id === undefined || id !== this.#asked || this.#asked === null) return [];
    this.#asked = null;
    if (error !== undefined) return [{ type: "ended", outcome: "failed", why: textIn(error, "message") }];
    return [{ type: "ended", outcome: textIn(result, "stopReason"), why: "" }];
  }
  /** The events at the end of all entries: a prompt that has no answer is lost. */
  end(): ChatEvent[] {
    return this.#cut("its process ended");
  }

  #noted(note: Extract<KeptEntry, { note: object }>["note"]): ChatEvent[] {
    switch (note.type) {
      case "opened":
        return [...this.#cut("its process ended"), { type: "opened", by: note.by }];
      case "lost": {
        const isUnknown = this.#asked !== null;
        this.#asked = null;
        return [{ type: "lost", why: note.why, isUnknown }];
      }
      case "edit": {
        const { path, decision: fate } = note;
        return [{ type: "edited", edit: { path, oldText: null, newText: "", fate } }];
      }
      default:
        return note satisfies never;
    }
  }
  #cut(why: string): ChatEvent[] {
    if (this.#asked === null) return [];
    this.#asked = null;
    return [{ type: "lost", why, isUnknown: true }];
  }
}
