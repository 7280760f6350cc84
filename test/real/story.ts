/** An agent's events in one form for all agents: text joined, each call as one, no ids. */
import type { AgentEvent, ToolEvent } from "../../actors/agents/agent.ts";
import type { Json } from "../../machines/model.ts";

export type Call = {
  type: "call";
  title: string | undefined;
  kind: string | undefined;
  input: Json | undefined;
  /** All its reported states, without repetitions. */
  states: string[];
  said: string;
};
export type Told = { type: "text" | "thought"; text: string } | Call | { type: "unknown"; value: Json };

/** Notices, usage and the conversation's id are left out. */
export function storyOf(heard: readonly AgentEvent[]): Told[] {
  const story: Told[] = [];
  const calls = new Map<string, Call>();
  const printed = new Map<string, string>();
  const told = new Map<string, string>();
  for (const event of heard) {
    const last = story.at(-1);
    if (event.type === "text" || event.type === "thought") {
      if (last?.type === event.type) last.text += event.text;
      else story.push({ type: event.type, text: event.text });
    } else if (event.type === "tool") {
      const call = calls.get(event.tool.call) ?? { type: "call", ...NEW, states: [] };
      if (!calls.has(event.tool.call)) story.push(call);
      calls.set(event.tool.call, call);
      follow(call, event.tool);
      if (event.tool.content !== undefined) told.set(event.tool.call, textIn(event.tool.content));
    } else if (event.type === "tool output") {
      printed.set(event.call, (printed.get(event.call) ?? "") + event.text);
    } else if (event.type === "unknown") story.push({ type: "unknown", value: event.value });
  }
  // Live, and at its end: a card shows both.
  for (const [id, call] of calls) call.said = ((printed.get(id) ?? "") + (told.get(id) ?? "")).trim();
  return story;
}

const NEW = { title: undefined, kind: undefined, input: undefined, said: "" };

const textIn = (content: NonNullable<ToolEvent["content"]>): string =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("");

function follow(call: Call, { title, kind, input, status }: ToolEvent): void {
  call.title = title ?? call.title;
  call.kind = kind ?? call.kind;
  call.input = input ?? call.input;
  if (status !== undefined && status !== "pending" && call.states.at(-1) !== status) call.states.push(status);
}

/** The conversation's id that was reported last. */
export function conversationOf(heard: readonly AgentEvent[]): string {
  const id = heard.flatMap((event) => (event.type === "conversation" ? [event.id] : [])).at(-1);
  if (id === undefined) throw new Error("no conversation's id was told");
  return id;
}
