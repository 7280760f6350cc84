/** Chunks that are due at a rate, and how late each of them arrives. */
import type { Client, Update } from "../client.ts";

export type Span = { from: number; to: number };
/** `late`: how late each chunk came, in ms; `between`: the same for chunks that were due in a span. */
export type Paced = { late: number[]; between: (span: Span) => number[] };

const RATE = 1_000;

/**
 * Streams `count` chunks at 1,000 a second. The chunk that came earliest sets when the others were due. So a constant
 * delay does not count as lateness, only a stall does.
 */
export async function paced(
  client: Client,
  session: string,
  count: number,
  says: (text: string) => string,
): Promise<Paced> {
  const arrived: number[] = [];
  client.onUpdate = (of: string, { sessionUpdate, content }: Update) => {
    if (of !== session || sessionUpdate !== "agent_message_chunk") return;
    const now = performance.now();
    for (const [, index] of (content?.text ?? "").matchAll(/tok(\d+) /g)) arrived[Number(index)] = now;
  };
  await client.prompt(session, says(`stream:${count}@${RATE}`));
  client.onUpdate = undefined;
  if (Object.keys(arrived).length !== count) throw new Error(`${Object.keys(arrived).length} of ${count} chunks came`);
  const due = (index: number) => (index * 1000) / RATE;
  const start = Math.min(...arrived.map((at, index) => at - due(index)));
  const late = arrived.map((at, index) => at - due(index) - start);
  const between = ({ from, to }: Span) =>
    late.filter((_, index) => start + due(index) >= from && start + due(index) <= to);
  return { late, between };
}

/** The 95th percentile. */
export function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.ceil(sorted.length * 0.95) - 1];
  if (value === undefined) throw new Error("no values");
  return value;
}
