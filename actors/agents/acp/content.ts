/** What an ACP agent says or shows, as text and as the blocks of a card. */
import type { ContentBlock, ToolCallContent } from "@agentclientprotocol/sdk";
import type { Block } from "../../../machines/exchange.ts";
import type { Json } from "../../../machines/model.ts";

export function textOf(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource_link":
      return block.uri;
    case "resource":
      return "text" in block.resource ? block.resource.text : block.resource.uri;
    default:
      return `[${block.type}]`;
  }
}

export function blocksOf(content: ToolCallContent): Block[] {
  switch (content.type) {
    case "content":
      return content.content.type === "resource_link"
        ? [{ type: "resource_link", uri: content.content.uri, name: content.content.name }]
        : [{ type: "text", text: textOf(content.content) }];
    case "diff":
      return [{ type: "diff", path: content.path, oldText: content.oldText ?? null, newText: content.newText }];
    // Its output is where the terminal is.
    case "terminal":
      return [];
    default:
      return [{ type: "unknown", value: content as unknown as Json }];
  }
}
