/** The body of a streamed answer, in whatever portions it comes, read as the pieces of the answer. */
import { createParser } from "eventsource-parser";
import type { AgentEvent } from "../agent.ts";
import type { ChatAnswer } from "./answer.ts";

export type Stream = { push(text: string): void; end(): void };

export function streamed(answer: ChatAnswer, emit: (event: AgentEvent) => void): Stream {
  const parser = createParser({ onEvent: ({ data, event }) => answer.read(data, event).forEach(emit) });
  return {
    push: (text) => parser.feed(text),
    // What a server that just hangs up has sent of its last event counts.
    end: () => parser.feed("\n\n"),
  };
}
