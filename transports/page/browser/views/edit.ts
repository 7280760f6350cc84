/** An edit, old beside new. */

import { guard } from "lit/directives/guard.js";
import { html, type TemplateResult } from "lit/html.js";
import { changeRows, type SideBySide } from "../../../../projections/page/changes.ts";
import { visible } from "../../../../projections/page/seen.ts";

export type Edit = { path: string; oldText: string | null; newText: string };

export const editView = (edit: Edit): TemplateResult => html`<figure class="edit">
  <figcaption>${visible(edit.path)}${edit.oldText === null ? html` <small>new</small>` : ""}</figcaption>
  <div class="sides" tabindex="0" role="group" aria-label="Changes of ${visible(edit.path)}">${guard(
    [edit.oldText, edit.newText],
    () =>
      changeRows(edit.oldText, edit.newText).map((row) =>
        "left" in row
          ? html`<div class="left-out">${row.left} ${row.left === 1 ? "line" : "lines"} as before</div>`
          : sides(row),
      ),
  )}</div></figure>`;

const sides = ({ old, fresh, isSame }: SideBySide): TemplateResult =>
  html`<div class="side ${old === null ? "none" : isSame ? "" : "gone"}"><span class="number">${old?.number ?? ""}</span><code>${visible(old?.text ?? "")}</code></div><div
    class="side ${fresh === null ? "none" : isSame ? "same" : "come"}"><span class="number">${fresh?.number ?? ""}</span><code>${visible(fresh?.text ?? "")}</code></div>`;

/** The edit that a tool's input asks for, in the words of the agents that are known; null where it is none. */
export function editIn(input: unknown): Edit | null {
  if (typeof input !== "object" || input === null) return null;
  const fields = input as { [name: string]: unknown };
  const text = (...names: string[]): string | null =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === "string") ?? null;
  const path = text("file_path", "path", "filePath", "abs_path");
  const newText = text("new_string", "newText", "newString", "new_str", "content");
  return path === null || newText === null
    ? null
    : { path, newText, oldText: text("old_string", "oldText", "oldString", "old_str") };
}
