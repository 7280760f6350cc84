/** A prompt's content as the log's blocks. */
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { Block } from "../../actors/troupe.ts";

/** What is not offered in `promptCapabilities` stays visible as an unknown block: the facade refuses it by name. */
export const blocksOf = (prompt: readonly ContentBlock[]): Block[] =>
  prompt.map((block): Block => {
    switch (block.type) {
      case "text":
        return { type: "text", text: block.text };
      case "resource_link":
        return { type: "resource_link", uri: block.uri, name: block.name };
      case "resource":
        return "text" in block.resource
          ? { type: "resource", uri: block.resource.uri, text: block.resource.text }
          : { type: "unknown", value: { type: "resource", what: "bytes" } };
      default:
        return { type: "unknown", value: { type: block.type } };
    }
  });
