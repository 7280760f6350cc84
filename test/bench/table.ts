/** The table of a bench: Markdown that reads well in a terminal too. */
import { cpus } from "node:os";
import type { Figure } from "./figures.ts";

const HEAD = ["what", "troupe", "raw agent", "SDK agent", "ratio to raw", "gate", "verdict"];

export function table(figures: readonly Figure[]): string {
  const rows = figures.map((f) => [f.what, f.troupe, f.raw, f.sdk, f.ratio, f.gate, f.verdict]);
  const widths = HEAD.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [line(HEAD), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** The machine in one line. Figures of two machines cannot be compared, but their ratios nearly can. */
export function machine(): string {
  const all = cpus();
  const model = all[0]?.model.trim().replace(/\s+/g, " ") || "unknown";
  return `${all.length} cores (${model}), ${process.platform} ${process.arch}, node ${process.versions.node}`;
}
