/**
 * A log in a form that is the same for two runs of one workflow.
 *
 * N1. Only times, ids, the house's folder, and the cut of a text into rows are left out.
 */
import type { Exchange } from "../../machines/exchange.ts";
import { isText } from "../../machines/exchange.ts";
import { normaliser } from "../support/golden.ts";

/** One line for each row; neighbouring text rows of a block are joined. */
export function commonRows(rows: readonly Exchange[], cwd: string): string[] {
  const joined: Exchange[] = [];
  for (const row of rows) {
    const last = joined.at(-1);
    const goesOn = last !== undefined && isText(last) && isText(row) && last.payload.block === row.payload.block;
    if (goesOn && last.type === row.type) {
      const text = last.payload.text + row.payload.text;
      joined[joined.length - 1] = { ...last, payload: { ...last.payload, text } } as Exchange;
    } else joined.push(row);
  }
  const normal = normaliser(rows, cwd);
  const calls = new Map<string, string>();
  const ofCall = (text: string) =>
    text.replace(/"(?:call|block)":"([^"@]+@\d+\.)([^"]+)"/g, (whole, step: string, id: string) => {
      if (/^\d+$/.test(id)) return whole;
      const call = id.replace(/\.output$/, "");
      if (!calls.has(call)) calls.set(call, `call ${calls.size + 1}`);
      return `"call":"${step}${calls.get(call)}"`;
    });
  return joined.map(({ at: _, seq: __, ...row }) => ofCall(normal(row)));
}
