/**
 * One run as one file: the page itself with the rows that it has read. What the log masks is masked in it.
 */
import { type Recorded, recordedPage } from "../../../projections/page/recorded.ts";
import type { Exchange } from "../../../projections/page/seen.ts";
import { pagesOf } from "./opened.ts";
import type { OpenRun } from "./state.ts";

/** The hash of a file of ours, as the document says it. */
const hashOf = (selector: string): string =>
  (document.querySelector(selector)?.getAttribute("integrity") ?? "").replace(/^sha256-/, "");

export async function exportRun(run: OpenRun): Promise<void> {
  const { record, history, charts } = run;
  const rows: Exchange[] = [];
  const ours = (row: Exchange): boolean => row.run === run.id || history.callerOf(row.run ?? "") !== undefined;
  for await (const page of pagesOf(run, { after: history.first - 1, until: history.head }))
    rows.push(...page.filter(ours));
  const text = async (path: string): Promise<string> => await (await fetch(path)).text();
  const [script, style] = await Promise.all([text("/page/page.js"), text("/page/page.css")]);
  const recorded: Recorded = {
    ...{
      run: run.id,
      workflow: record?.workflow ?? "",
      cwd: record?.cwd ?? "",
      status: record?.status ?? "interrupted",
      rows,
    },
    charts: Object.fromEntries(charts),
  };
  const parts = {
    script: { text: script, hash: hashOf("script[src]") },
    style: { text: style, hash: hashOf("link[rel=stylesheet]") },
  };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([recordedPage(parts, recorded)], { type: "text/html" }));
  link.download = `${record?.workflow.replaceAll("/", "-") ?? "run"}-${run.id}.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
