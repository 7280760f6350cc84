/** What a tool of an MCP server gave, as text. */
import type { CallToolResult } from "@modelcontextprotocol/client";

/** Of what is no text, what it is called. */
export const resultText = ({ content }: CallToolResult): string =>
  content
    .map((block) => {
      switch (block.type) {
        case "text":
          return block.text;
        case "resource":
          return "text" in block.resource ? block.resource.text : `[${block.resource.uri}]`;
        case "resource_link":
          return `[${block.uri}]`;
        default:
          return `[${block.type}]`;
      }
    })
    .join("\n");
