/** The table of the bench of an engine. */
/** All as it is printed; `processor`: embedded / engine, the latter as (nodes + worker + gateway). */
export type Line = { what: string; embedded: string; engine: string; ratio: string; processor: string };

const HEAD = { what: "what", embedded: "embedded", engine: "engine", ratio: "ratio", processor: "processor time" };
const COLUMNS = ["what", "embedded", "engine", "ratio", "processor"] as const;

export function tableOf(lines: readonly Line[]): string {
  const row = (line: Line): string => `| ${COLUMNS.map((column) => line[column]).join(" | ")} |`;
  return [row(HEAD), `|${"---|".repeat(COLUMNS.length)}`, ...lines.map(row)].join("\n");
}
