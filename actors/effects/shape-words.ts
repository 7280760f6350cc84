/**
 * The words for an agent about the schema that its answer must fit.
 *
 * I1. An agent whose provider takes schemas itself gets the words too: not every model and server heeds a schema.
 */
import type { OutputSchema } from "../../machines/workflow/document.ts";

/** The words after the prompt. */
export const shapeWords = ({ schema }: OutputSchema): string =>
  `Your last message must be one JSON value that fits this JSON Schema, and nothing else:\n\`\`\`json\n${JSON.stringify(schema)}\n\`\`\``;

/** The words about an answer that does not fit. */
export const repairWords = (reason: string): string =>
  `Your last message does not fit the JSON Schema that was asked for: ${reason}.\nAnswer again with one JSON value that fits it, and nothing else.`;
