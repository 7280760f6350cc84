/**
 * How much of what an agent sends of a call an update has room for: an editor holds and draws what it is sent, and some
 * hang over megabytes. The log has all of it.
 *
 * I1. Input, output and content have at most MOST_CHARS each, the words about what is left out not counted.
 * I2. What is left out is counted, in words, in its place: a cut text keeps its head, a diff is shown whole or not at all.
 */
import type { Block } from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";
import { isInPair } from "../shared/pairs.ts";

/** In UTF-16 units. */
export const MOST_CHARS = 1024 * 1024;

const leftOut = (chars: number): string => `… (${chars} characters are not shown here: the run's log has them)`;

/** The value, or where it has no room words in its place (I2). */
export const valueInRoom = (value: Json): Json =>
  isWithin(value, MOST_CHARS) ? value : leftOut(JSON.stringify(value).length);

/** The blocks that there is room for, and words about the others. */
export function contentInRoom(blocks: readonly Block[]): readonly Block[] {
  if (blocks.reduce((sum, block) => sum + charsIn(block), 0) <= MOST_CHARS) return blocks;
  const shown: Block[] = [];
  let room = MOST_CHARS;
  let out = 0;
  for (const block of blocks) {
    const chars = charsIn(block);
    const taken = chars <= room ? chars : block.type === "text" ? headIn(block.text, room) : 0;
    if (taken === chars) shown.push(block);
    else if (block.type === "text" && taken > 0) shown.push({ type: "text", text: block.text.slice(0, taken) });
    room -= taken;
    out += chars - taken;
  }
  return [...shown, { type: "text", text: leftOut(out) }];
}

/** Of what a card shows of it. */
function charsIn(block: Block): number {
  switch (block.type) {
    case "text":
      return block.text.length;
    case "resource":
      return block.text.length;
    case "diff":
      return (block.oldText?.length ?? 0) + block.newText.length;
    case "resource_link":
    case "image":
    case "audio":
    case "terminal":
    case "unknown":
      return 0;
    default:
      return block satisfies never;
  }
}

const headIn = (text: string, room: number): number => (isInPair(text, room) ? room - 1 : room);

/** Whether a value takes at most so much, without making its JSON: most values are small, and each call has some. */
function isWithin(value: Json, most: number): boolean {
  let left = most;
  const take = (one: Json): boolean => {
    left -= typeof one === "string" ? one.length : 1;
    if (left < 0 || typeof one !== "object" || one === null) return left >= 0;
    if (Array.isArray(one)) return one.every(take);
    for (const name in one) {
      left -= name.length;
      if (!take(one[name] as Json)) return false;
    }
    return left >= 0;
  };
  return take(value);
}
