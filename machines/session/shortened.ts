/**
 * What is kept of a prompt that was explained instead of being run: it is not needed whole, and may be long.
 *
 * I1. Texts and addresses hold at most MOST_REFUSED UTF-16 units in all, cut between whole characters; what is left out is
 *     counted.
 */
import type { Block } from "../exchange.ts";

export const MOST_REFUSED = 2_000;
/** What a block costs whatever it says. */
const BLOCK = 20;

export function shortened(blocks: readonly Block[]): Block[] {
  const kept: Block[] = [];
  let room = MOST_REFUSED;
  let left = 0;
  for (const block of blocks) {
    const size = sizeOf(block);
    if (size <= room) {
      kept.push(block);
      room -= size;
      continue;
    }
    const text = block.type === "text" ? whole(block.text.slice(0, Math.max(0, room - BLOCK))) : "";
    if (text !== "") kept.push({ type: "text", text });
    left += size - BLOCK - text.length;
    room = 0;
  }
  return left === 0 ? kept : [...kept, { type: "text", text: `… (${left} more characters were not kept)` }];
}

/** Without half of a surrogate pair at the end. */
const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/, "");

function sizeOf(block: Block): number {
  switch (block.type) {
    case "text":
      return BLOCK + block.text.length;
    case "resource_link":
      return BLOCK + block.uri.length + block.name.length;
    case "resource":
      return BLOCK + block.uri.length + block.text.length;
    case "image":
    case "audio":
      return BLOCK;
    case "diff":
      return BLOCK + block.path.length + block.newText.length + (block.oldText?.length ?? 0);
    case "terminal":
      return BLOCK + block.terminal.length;
    case "unknown":
      return BLOCK + JSON.stringify(block.value).length;
    default:
      return block satisfies never;
  }
}
