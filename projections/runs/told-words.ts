/** What is shown of something that a person said to a step while its agent worked. */
import type { Guidance } from "../../machines/exchange.ts";
import { numberedOf } from "../../machines/naming/address.ts";
import { visible } from "../../machines/visible.ts";

/** As `Told "review": use tabs. (its agent has it now)`. */
export const toldLine = (step: string, { blocks, reach }: Guidance): string =>
  `Told "${step}": ${visible(wordsOf(blocks))} (${reachWords(reach)})`;

/** What who said it is answered. */
export const toldAnswer = ({ step, reach }: { step: string; reach: Guidance["reach"] }): string =>
  `Told "${numberedOf(step)}": ${reachWords(reach)}.`;

function reachWords(reach: Guidance["reach"]): string {
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
