/**
 * The conversations of agents that have no store of their own, as the host keeps them.
 *
 * I1. What `add` was given lasts as long as its session does, in order, as soon as it has resolved.
 * I2. A conversation belongs to a session: no other reads it, and it goes with its session.
 * I3. Secrets are hidden in what is written, and put back in what is read, as in the state of machines.
 */
import type { Json, Key } from "../../machines/model.ts";
import type { AgentMemory } from "../agents/agent.ts";
import type { KeptConversations } from "../host/reads.ts";
import type { Mask } from "../masking/masking.ts";

export type Memory = { of: (session: Key) => AgentMemory };

export const openMemory = (kept: KeptConversations, mask: Pick<Mask, "hide" | "reveal">): Memory => ({
  of: (session) => ({
    read: async (conversation) =>
      (await kept.read(session, conversation)).map((message) => mask.reveal(message) as Json),
    add: (conversation, messages) =>
      kept.add(
        session,
        conversation,
        messages.map((message) => mask.hide(message)),
      ),
  }),
});
