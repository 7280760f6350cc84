/** What `troupe doctor` found, on the terminal. */
import { paint } from "./paint.ts";
import { safeLine } from "./safe.ts";
import type { TableOptions } from "./tables.ts";

export type CheckView = { area: string; name: string; state: string; says: string; next: string | null };
const MARKS: { readonly [state: string]: string } = { good: "✓", absent: "–", warning: "!", fault: "✗" };

/** One line a check, under its area; then what mends it, where something is to be done. */
export function checkupLines(
  { checks, next }: { checks: readonly CheckView[]; next: string },
  { colours }: Pick<TableOptions, "colours">,
): string[] {
  const { bold, dim, green, red, yellow } = paint(colours);
  const styles: { readonly [state: string]: (text: string) => string } = {
    good: green,
    absent: dim,
    warning: yellow,
    fault: red,
  };
  const widest = Math.max(...checks.map(({ name }) => safeLine(name).length));
  const lines: string[] = [];
  let area = "";
  for (const check of checks) {
    if (check.area !== area) lines.push(...(area === "" ? [] : [""]), bold(check.area));
    area = check.area;
    const style = styles[check.state] ?? dim;
    lines.push(`  ${style(MARKS[check.state] ?? "?")} ${safeLine(check.name).padEnd(widest)}  ${safeLine(check.says)}`);
    if (check.next !== null && check.state !== "good")
      lines.push(`    ${" ".repeat(widest)}  ${dim(safeLine(check.next))}`);
  }
  return [...lines, "", `Next: ${bold(safeLine(next))}`];
}
