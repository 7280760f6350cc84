/**
 * A page of the docs, done as a reader does it, block after block, in one folder.
 *
 * I1. A block of YAML whose first line is `# path` becomes that file. Each line of an `sh` block is run, and ends with 0,
 *     or as the line says behind it (`# exit code 3`).
 * I2. Each line of a `text` block behind them stands in what was said since the last one, in this order; `…` is anything.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

type Block =
  | { kind: "file"; path: string; text: string }
  | { kind: "run"; line: string; code: number }
  | { kind: "said"; lines: string[] };

const FENCE = /^```(\w+)\n(.*?)^```$/gms;
const EXIT = / +# exit code (\d+)$/;

export const blocksOf = (page: string): Block[] =>
  [...page.matchAll(FENCE)].flatMap(([, language, text = ""]): Block[] => {
    const path = /^# (\S+)\n/.exec(text)?.[1];
    if (language === "yaml" && path !== undefined) return [{ kind: "file", path, text }];
    if (language === "text") return [{ kind: "said", lines: text.trimEnd().split("\n") }];
    if (language !== "sh") return [];
    return text
      .trimEnd()
      .split("\n")
      .map((line) => ({ kind: "run", line: line.replace(EXIT, ""), code: Number(EXIT.exec(line)?.[1] ?? 0) }));
  });

/** Runs one line, and says what came of it. */
export type Shell = (line: string) => Promise<{ code: number; said: string }>;

/** What was otherwise than the page says, in words; none where it holds. */
export async function readAlong(page: string, cwd: string, shell: Shell): Promise<string[]> {
  const faults: string[] = [];
  let heard = "";
  let isFresh = true;
  for (const block of blocksOf(page)) {
    if (block.kind === "file") {
      mkdirSync(dirname(join(cwd, block.path)), { recursive: true });
      writeFileSync(join(cwd, block.path), block.text);
    } else if (block.kind === "run") {
      const { code, said } = await shell(block.line);
      heard = (isFresh ? "" : heard) + said;
      isFresh = false;
      if (code !== block.code) faults.push(`${block.line}: exit code ${code}, not ${block.code}: ${said}`);
    } else {
      const lacking = isFresh ? null : lackingIn(heard, block.lines);
      if (lacking !== null) faults.push(`it is not said: ${lacking}\n${heard}`);
      isFresh = true;
    }
  }
  return faults;
}

/** The first line that is not there behind those before it (I2); null where all are. */
export function lackingIn(heard: string, lines: readonly string[]): string | null {
  let rest = heard;
  for (const line of lines) {
    const pattern = line
      .trim()
      .split("…")
      .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/ +/g, " +"))
      .join(".*");
    const found = new RegExp(pattern).exec(rest);
    if (found === null) return line;
    rest = rest.slice(found.index + found[0].length);
  }
  return null;
}
