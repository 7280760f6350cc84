/** The rows of a step without what differs between two runs of it. */
import type { Exchange } from "../../../machines/exchange.ts";

export type Normal = { type: string; payload: { [name: string]: unknown } };

/** Without ids, `seq` and times; the pieces of a text block are one row. */
export function normalRows(rows: readonly Exchange[], step: string): Normal[] {
  const blocks = new Map<string, Normal>();
  const all: Normal[] = [];
  for (const row of rows.filter((one) => one.step === step)) {
    const payload: Normal["payload"] = { ...row.payload };
    const block = payload["block"];
    const begun = typeof block === "string" ? blocks.get(block) : undefined;
    if (begun !== undefined) {
      begun.payload["text"] = `${begun.payload["text"]}${payload["text"]}`;
      continue;
    }
    const normal = { type: row.type, payload };
    if (typeof block === "string") blocks.set(block, normal);
    all.push(normal);
  }
  return all;
}
