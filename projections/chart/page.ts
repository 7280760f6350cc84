/**
 * A chart as a page of its own: states as boxes, what a container holds inside of it, branches side by side.
 *
 * I1. It loads nothing and runs nothing: no script, no address, no picture. Every text is escaped.
 */
import { visibleLine } from "../../machines/visible.ts";
import { aboutOf, type Chart, edgeText, type Grouped, groupsOf, MARK_COLOURS, type Marks } from "./chart.ts";

const STYLE = `body{font:15px/1.4 system-ui,sans-serif;margin:2em;color:#222;background:#fff}
.s{border:2px solid #aaa;border-radius:8px;padding:.5em .8em;margin:.5em;background:#fafafa}
.here{outline:3px solid #2980b9}
.in{display:flex;flex-direction:column}.side{flex-direction:row;flex-wrap:wrap}
b{font-weight:600}small,li{color:#555}ul{margin:.3em 0 0;padding-left:1.2em}h1{font-size:1.3em}`;

export function chartPage(chart: Chart, marks: Marks, highlight: string | null = null): string {
  const text = (value: string): string =>
    visibleLine(value).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
  const labels = new Map(chart.nodes.map(({ name, label }) => [name, label]));
  const box = ({ node, inner }: Grouped): string => {
    const mark = marks.get(node.name);
    const colour = mark === undefined ? "" : ` style="border-color:${MARK_COLOURS[mark]}"`;
    const kind = node.kind === "terminal" ? (node.status ?? "success") : node.kind.replace("_", " ");
    const about = aboutOf(node);
    const ways = chart.edges
      .filter(({ from, kind: way }) => from === node.name && way !== "enter" && way !== "next" && way !== "return")
      .map((edge) => `<li>${text(edgeText(edge))} → ${text(labels.get(edge.to) ?? edge.to)}</li>`);
    return [
      `<div class="s${node.name === highlight ? " here" : ""}"${colour}><b>${text(node.label)}</b> <small>${text(kind)}${mark === undefined ? "" : ` · ${mark}`}</small>`,
      ...(about === "" ? [] : [`<div>${text(about)}</div>`]),
      ...(inner.length === 0
        ? []
        : [`<div class="in${node.kind === "parallel" ? " side" : ""}">`, ...inner.map(box), "</div>"]),
      ...(ways.length === 0 ? [] : [`<ul>${ways.join("")}</ul>`]),
      "</div>",
    ].join("\n");
  };
  const head = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;
  const title = text(chart.name);
  return `${head}<title>${title}</title><style>${STYLE}</style><h1>${title}</h1>\n${groupsOf(chart).map(box).join("\n")}\n</html>\n`;
}
