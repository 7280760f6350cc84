/** A prompt of this process, and what its client waits for. */
import type { RunResult, TurnResult } from "../api/records.ts";

export type TurnEnd = TurnResult & { run: RunResult | null };

/** One prompt, until its client has the answer. */
export class OpenPrompt {
  readonly name: string;
  readonly by: string | null; // the attendance that prompts and waits for the answer
  /** The id of its turn; "" before it was sent on. */
  turn = "";
  run: RunResult | null = null;
  readonly taken = new AbortController();
  readonly end = Promise.withResolvers<TurnEnd>();
  readonly over = Promise.withResolvers<void>();
  readonly sent = Promise.withResolvers<void>(); // its turn is durable, or never will be
  constructor(name: string, by: string | null) {
    this.name = name;
    this.by = by;
    this.end.promise.catch(() => undefined); // who wants the end awaits it
  }
}
