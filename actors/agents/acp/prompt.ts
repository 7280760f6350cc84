/** What an ACP agent is asked: a step's prompt, and what a person sent along with it. */
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { AgentSession } from "../../acp-client/session.ts";
import { type AgentRequest, attachedTo } from "../agent.ts";

/** ACP has no place for a system prompt; it stands before the first prompt of a conversation. */
export function promptOf(request: AgentRequest, session: AgentSession): ContentBlock[] {
  const { systemPrompt, conversation, anew } = request;
  const isNew = session.id !== conversation;
  const prompt = (isNew ? anew?.() : undefined) ?? request.prompt;
  const pieces = attachedTo(request).map(({ type, mimeType, data }): ContentBlock => {
    return { type, mimeType, data: data.toString("base64") };
  });
  const blocks: ContentBlock[] = [{ type: "text", text: prompt }, ...pieces];
  if (systemPrompt === null || !isNew) return blocks;
  return [{ type: "text", text: `<instructions>\n${systemPrompt}\n</instructions>` }, ...blocks];
}
