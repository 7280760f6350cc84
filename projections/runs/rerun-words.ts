/** What a run that does another one again has taken over, in words. */
import type { RerunOf } from "../../machines/exchange.ts";
import { visibleLine } from "../../machines/visible.ts";

const MOST_NAMED = 8;

export function rerunWords({ run, from, round, taken, rounds, differs = [] }: RerunOf): string {
  const named = taken.slice(0, MOST_NAMED).join(", ");
  const more = taken.length > MOST_NAMED ? ` and ${taken.length - MOST_NAMED} more` : "";
  const parts = [
    ...(taken.length === 0 ? [] : [`taken over: ${named}${more}`]),
    ...(rounds === undefined ? [] : [roundsWords(rounds)]),
    ...(differs.length === 0 ? [] : [`what differs now: ${differs.join("; ")}`]),
  ];
  const begins = from === null ? "from the beginning" : `from "${round ?? from}"`;
  return visibleLine(`Run ${run} again ${begins}${parts.length === 0 ? "" : `; ${parts.join("; ")}`}`);
}

/** How many there will be is known of a list of items alone. */
const roundsWords = ({ taken, of }: NonNullable<RerunOf["rounds"]>): string =>
  `${taken === of ? taken : `${taken} of ${of}`} rounds taken over`;
