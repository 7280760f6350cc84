/** What is shown of something that a person said to a step while its agent worked. */
import type { Guidance } from "../../machines/exchange.ts";
import { visible } from "../../machines/visible.ts";

/** As `Told "review": use tabs. (its agent has it now)`. */
export const toldLine = (step: string, { blocks, reach }: Guidance): string =>
  `Told "${step}": ${visible(wordsOf(blocks))} (${reachWords(reach)})`;

export function reachWords(reach: Guidance["reach"]): string {
  switch (reach) {
    case "now":
      return "its agent gets it while it works";
    case "next turn":
      return "its agent gets it with its next turn";
    default:
      return reach satisfies never;
  }
}

const wordsOf = (blocks: Guidance["blocks"]): string =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ");
