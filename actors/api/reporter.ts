/** Who watches over what a process does, as the facade tells it. */
import type { Exchange } from "../../machines/exchange.ts";
import type { Tracing } from "../../machines/trace-context.ts";
import type { Session } from "./facade.ts";

/** A session that this process works on, as who reports of it sees it. */
export type WorkedOn = Pick<Session, "id" | "rows" | "since">;
/** Hears what this process does, for those who watch over it. */
export type Reporter = {
  /** After the commit, in the order of its session's log. What it throws is dropped. */
  row(row: Exchange, session: WorkedOn): void;
  /** The log cannot be written; said again each time that it was tried in vain. What it throws is dropped. */
  unwritten?(fault: { code: string; message: string }): void;
  /** Nothing more will come; a Troupe that closes waits for it. */
  closed(): Promise<void>;
  /** Where what steps start hears of their spans, by `TRACEPARENT`; absent where it does not. */
  tracing?: Tracing;
};

export type { Tracing };
