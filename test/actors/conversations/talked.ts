/** A folder for conversations anew for each test of the file that takes it from here, and what is said in one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { KeptConversations } from "../../../actors/conversations/kept.ts";
import type { Recorder } from "../../../actors/conversations/recorder.ts";
import { NO_MASKING } from "../../../actors/masking/masking.ts";
import type { ConversationHead, WireFrame } from "../../../machines/conversation/entry.ts";

export const HEAD: ConversationHead = {
  version: 1,
  id: "c1",
  agent: { id: "a1", slug: "mine", name: "Mine" },
  cwd: "/w",
  from: null,
};
export let state: string;
export let kept: KeptConversations;
let time: number;
export const now = (): number => ++time;
export const parts = (segmentBytes = 1e6, segments = 5) => ({
  mask: NO_MASKING,
  now,
  limits: { segmentBytes, segments },
});
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "kept-"));
  kept = new KeptConversations(state);
  time = 0;
});
afterEach(() => {
  kept.close();
  rmSync(state, { recursive: true, force: true });
});

export const prompt = (id: number, text: string): WireFrame => ({
  id,
  method: "session/prompt",
  params: { sessionId: "s1", prompt: [{ type: "text", text }] },
});
export const says = (text: string): WireFrame => ({
  method: "session/update",
  params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
});
/** A prompt and its answer. */
export function talked(recorder: Recorder): void {
  recorder.sent({ id: 0, method: "session/new", params: { cwd: "/w", mcpServers: [] } });
  recorder.got({
    id: 0,
    result: { sessionId: "s1", modes: { currentModeId: "ask" }, _meta: { native: "n-1" } },
  });
  recorder.note({ type: "opened", session: "s1", by: "new" });
  recorder.sent(prompt(1, "\n  Mend it\nplease"));
  recorder.got(says("done"));
  recorder.got({ id: 1, result: { stopReason: "end_turn" } });
}

/** A conversation that its process has left. */
export function talkedAndLeft(): void {
  const recorder = kept.begin(HEAD, parts());
  talked(recorder);
  recorder.close();
  kept.leave("c1");
}
