/**
 * One run as one file that opens anywhere: the page, and the rows that it shows.
 *
 * I1. The file asks no host for anything; its policy names its own script and style sheet by their hashes.
 * I2. The rows stand in it as data: nothing in them ends their place, or runs.
 */
import type { Exchange } from "../../machines/exchange.ts";
import type { Chart } from "../chart/chart.ts";

/** `status`: how it stood then, where that is known: of one that had no end the rows do not say it. */
export type Recorded = {
  run: string;
  workflow: string;
  cwd: string;
  status?: string;
  charts: { [workflow: string]: Chart };
  rows: readonly Exchange[];
};
/** `hash`: SHA-256 in base64. */
type Part = { text: string; hash: string };

export function recordedPage({ script, style }: { script: Part; style: Part }, recorded: Recorded): string {
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${script.hash}'`,
    `style-src 'sha256-${style.hash}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html",
  ].join("; ");
  const data = JSON.stringify(recorded).replace(
    /[<>&\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const title = `${recorded.workflow} ${recorded.run}`.replace(/[<>&]/g, " ");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title} · Troupe</title><link rel="icon" href="data:,">
<style>${style.text}</style></head>
<body><div id="page"></div><script type="application/json" id="recorded">${data}</script>
<script>${script.text}</script></body></html>
`;
}
