/** What was used, in words of each face. */
import { visibleLine } from "../../machines/visible.ts";
import type { UsageSum } from "./usage.ts";

/** Tokens and costs, where any are known. */
export const usageWords = ({ tokens, costs }: UsageSum): string[] => [
  ...(tokens > 0 ? [`${tokens} token${tokens === 1 ? "" : "s"}`] : []),
  ...costs.filter(({ amount }) => amount > 0).map(costWord),
];
const costWord = ({ amount, currency }: UsageSum["costs"][number]): string => {
  const digits = amount >= 1 ? 2 : 4;
  return currency === "USD" ? `$${amount.toFixed(digits)}` : `${amount.toFixed(digits)} ${visibleLine(currency)}`;
};
