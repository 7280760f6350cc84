/**
 * The body of an answer, in whatever portions it comes, read as the pieces of the answer.
 *
 * I1. Of a piece no more than LONGEST_PIECE is held: one that is longer ends the answer with a `TooLong`.
 */
import { createParser } from "eventsource-parser";
import { MAX_LINE } from "../../base/lines.ts";
import type { AgentEvent } from "../agent.ts";
import type { ChatAnswer } from "./answer.ts";

export type Body = { push(text: string): void; end(): void };
type Emit = (event: AgentEvent) => void;

/** In UTF-16 units, as of a line of an agent's program. */
export const LONGEST_PIECE = MAX_LINE;

export class TooLong extends Error {
  constructor() {
    super(`the model's answer has a piece of more than ${LONGEST_PIECE / 1024 ** 2} MiB, which is not read`);
  }
}

/** Of events. */
export function streamed(answer: ChatAnswer, emit: Emit): Body {
  const parser = createParser({
    maxBufferSize: LONGEST_PIECE,
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") throw new TooLong();
    },
    onEvent: ({ data, event }) => answer.read(data, event).forEach(emit),
  });
  return {
    push: (text) => parser.feed(text),
    // What a server that just hangs up has sent of its last event counts.
    end: () => parser.feed("\n\n"),
  };
}

/** Of a server that does not stream: one piece. */
export function whole(answer: ChatAnswer, emit: Emit): Body {
  const parts: string[] = [];
  let length = 0;
  return {
    push: (text) => {
      length += text.length;
      if (length > LONGEST_PIECE) throw new TooLong();
      parts.push(text);
    },
    end: () => answer.read(parts.join("")).forEach(emit),
  };
}
