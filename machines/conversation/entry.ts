/**
 * What is kept of a conversation with an agent: one line for each message in either direction, in their order, beside
 * what was decided here. It is the truth; lists and views are made from it, and can be made anew. H48, H49.
 *
 * I1. Three ids are kept apart: the record's own, the agent's session, and whatever else the agent names it by.
 */
import type { Json } from "../model.ts";

/** Stands at the beginning of each segment. `from`: the conversation whose summary it began with. */
export type ConversationHead = {
  version: 1;
  id: string;
  agent: { id: string; slug: string; name: string };
  cwd: string;
  from: string | null;
};
export type OpenedBy = "new" | "resume" | "load";
export type KeptNote =
  /** A process of the agent has the session from here on. */
  | { type: "opened"; session: string; by: OpenedBy }
  /** The process is gone; a prompt without an answer has an unknown end. */
  | { type: "lost"; why: string }
  | { type: "edit"; path: string; decision: "accepted" | "rejected" };
/** A message of the protocol, as JSON-RPC has it. */
export type WireFrame = {
  id?: string | number | null;
  method?: string;
  params?: Json;
  result?: Json;
  error?: Json;
};
export type KeptPart = { head: ConversationHead } | { sent: WireFrame } | { got: WireFrame } | { note: KeptNote };
export type KeptEntry = { seq: number; at: number } & KeptPart;
