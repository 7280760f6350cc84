/** A prompt's content as the facade takes it. */
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { PromptBlock } from "../../actors/troupe.ts";

/** What is not offered in `promptCapabilities` stays visible as an unknown block: the facade refuses it by name. */
export const blocksOf = (prompt: readonly ContentBlock[]): PromptBlock[] =>
  prompt.map((block): PromptBlock => {
    switch (block.type) {
      case "text":
        return { type: "text", text: block.text };
      case "resource_link":
        return { type: "resource_link", uri: block.uri, name: block.name };
      case "resource":
        return "text" in block.resource
          ? { type: "resource", uri: block.resource.uri, text: block.resource.text }
          : { type: "unknown", value: { type: "resource", what: "bytes", uri: block.resource.uri } };
      case "image":
      case "audio":
        return { type: block.type, mimeType: block.mimeType, data: block.data };
      default:
        return { type: "unknown", value: { type: (block as { type: string }).type } };
    }
  });
