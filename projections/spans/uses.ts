/**
 * What was used within each span of an attempt, as its attributes.
 *
 * I1. Of one attempt what was reported last counts. An attempt that mends an answer, or stands in for another, has no
 *     span of its own: it adds up with those before it.
 */
import type { RowOf } from "../../machines/exchange.ts";
import type { Attributes } from "./span.ts";

type Used = RowOf<"usage.recorded">["payload"];
type Use = { attempt: number; before: Attributes; now: Attributes };
const COST = "troupe.cost";
const CURRENCY = "troupe.cost.currency";

export class SpanUses {
  readonly #open = new Map<string, Use>();

  /** All that is used within the span, with what this row says. */
  more(span: string, used: Used): Attributes {
    const { attempt = 1 } = used;
    const known = this.#open.get(span) ?? { attempt, before: {}, now: {} };
    const use = known.attempt === attempt ? known : { attempt, before: sumOf(known), now: {} };
    use.now = { ...use.now, ...attributesOf(used) };
    this.#open.set(span, use);
    return sumOf(use);
  }
  /** The span has ended. */
  end(span: string): void {
    this.#open.delete(span);
  }
}

function attributesOf({ inputTokens, outputTokens, totalTokens, cost }: Used): Attributes {
  return {
    ...(inputTokens === undefined ? {} : { "gen_ai.usage.input_tokens": inputTokens }),
    ...(outputTokens === undefined ? {} : { "gen_ai.usage.output_tokens": outputTokens }),
    ...(totalTokens === undefined ? {} : { "troupe.usage.total_tokens": totalTokens }),
    ...(cost === undefined ? {} : { [COST]: cost.amount, [CURRENCY]: cost.currency }),
  };
}

/** Of two currencies the last one is told. */
function sumOf({ before, now }: Use): Attributes {
  const isOneCurrency = before[CURRENCY] === now[CURRENCY];
  const added = Object.entries(now).map(([name, value]) => {
    const earlier = name === COST && !isOneCurrency ? undefined : before[name];
    return [name, typeof value === "number" && typeof earlier === "number" ? value + earlier : value];
  });
  return { ...before, ...Object.fromEntries(added) };
}
