/** The help of a terminal too narrow for two columns: what a word means stands below it. */
import { Help } from "commander";

/** So much room beside the words is enough for lines; and it is never less than this for which lines are broken. */
const BESIDE = 40;
const LEAST = 20;
const GAPS = 4;
const MARGIN = "      ";

export const narrowHelp: Partial<Help> = {
  minWidthToWrap: LEAST,
  formatItem: (term, termWidth, description, helper) => {
    const { helpWidth: width } = helper;
    if (description === "" || width === undefined || width - termWidth - GAPS >= BESIDE)
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    const lines = helper.boxWrap(description, width - MARGIN.length).split("\n");
    return [`  ${term}`, ...lines.map((line) => MARGIN + line)].join("\n");
  },
};
