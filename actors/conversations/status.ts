/** Where a conversation is, in the words of those who look at it. */
import type { SnapshotFrom } from "xstate";
import type { conversationMachine } from "../../machines/conversation-machine.ts";
import type { ConversationStatus } from "../api/conversations.ts";

export function statusOf(snapshot: SnapshotFrom<typeof conversationMachine>): ConversationStatus {
  if (snapshot.matches("opening")) return "opening";
  if (snapshot.matches("lost")) return "lost";
  if (snapshot.matches("view only")) return "view only";
  if (snapshot.matches({ open: { working: "cancelling" } })) return "cancelling";
  return snapshot.matches({ open: "working" }) ? "working" : "idle";
}
