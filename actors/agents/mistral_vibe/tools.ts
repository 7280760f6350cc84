/** What a tool of Mistral Vibe is to a reader: its kind, a title, the places it touches, its end. */
import { resolve } from "node:path";
import type { Block, Location, ToolKind } from "../../../machines/exchange.ts";
import { own } from "../../../machines/model.ts";
import { type Fields, fieldsAt, fieldsOf, listAt, numberAt, textAt } from "../../base/json.ts";
import type { ToolEvent } from "../agent.ts";
import { shortened } from "../titles.ts";
import { toolPart } from "./arguments.ts";

/** The program says of what kind a call is; of the rest, by the tool's name. */
const KINDS: { readonly [kind: string]: ToolKind } = {
  shell: "execute",
  file_read: "read",
  file_edit: "edit",
  file_write: "edit",
  file_search: "search",
  todo: "think",
  skill: "read",
  web_search: "fetch",
  web_fetch: "fetch",
};
const PATHS = ["filePath", "file_path", "path"];

/** `servers`: the names of the step's MCP servers; a tool of theirs has the server's name before its own. */
export type ToolContext = { cwd: string; servers: readonly string[] };

/** The events of a call, which the program reports when it has ended. Null where it is no call. */
export function toolEvents(entry: Fields, { cwd, servers }: ToolContext): ToolEvent[] | null {
  const call = textAt(entry, "id");
  const detail = fieldsAt(entry, "detail");
  const tool = textAt(detail, "toolName");
  const state = fieldsAt(entry, "state");
  if (call === null || tool === null || textAt(state, "status") === null) return null;
  const input = fieldsAt(detail, "input");
  const kind = own(KINDS, textAt(detail, "kind") ?? "") ?? "other";
  const begun: ToolEvent = { call, title: titleOf(tool, detail, servers), kind, status: "in_progress", input };
  begun.input = { ...input };
  const locations = locationsOf(input, cwd);
  if (locations.length > 0) begun.locations = locations;
  const failed = textAt(state, "status") !== "completed" || own(fieldsAt(state, "display"), "success") === false;
  const content = (failed ? [] : changesOf(detail, state, cwd)).concat();
  if (content.length === 0) content.push(...said(state));
  const ended: ToolEvent = { call, status: failed ? "failed" : "completed" };
  if (content.length > 0) ended.content = content;
  return [begun, ended];
}

function titleOf(tool: string, detail: Fields, servers: readonly string[]): string {
  const command = textAt(fieldsAt(detail, "input"), "command");
  if (textAt(detail, "kind") === "shell" && command !== null && command.trim() !== "") return shortened(command);
  const server = servers.find((name) => tool.startsWith(`${toolPart(name)}_`));
  if (server !== undefined) return `${server}: ${tool.slice(toolPart(server).length + 1)}`;
  return shortened(textAt(fieldsAt(detail, "display"), "summary") ?? tool);
}

/** What the model received, in the shape of the tool's kind. */
function said(state: Fields): Block[] {
  const output = fieldsAt(state, "output");
  const texts = [
    textAt(fieldsAt(state, "error"), "message"),
    (textAt(output, "stdout") ?? "") + (textAt(output, "stderr") ?? ""),
    textAt(output, "text"),
    textAt(output, "content"),
    textAt(output, "matches"),
    textAt(state, "outputText"),
    textAt(state, "reason"),
  ];
  const text = (texts.find((one) => one !== null && one !== "") ?? "").replace(/\n$/, "");
  return text === "" ? [] : [{ type: "text", text }];
}

/** The lines that an edit changed; of a file that was written, the whole. */
function changesOf(detail: Fields, state: Fields, cwd: string): Block[] {
  const input = fieldsAt(detail, "input");
  const output = fieldsAt(state, "output");
  const file = textAt(output, "file") ?? firstPath(input);
  if (file === null) return [];
  const path = resolve(cwd, file);
  switch (textAt(detail, "kind")) {
    case "file_edit": {
      const pair = { oldText: textAt(output, "oldString"), newText: textAt(output, "newString") };
      const occurrences = listAt(output, "occurrences").map(fieldsOf);
      const all = occurrences.map((one) => ({ oldText: textAt(one, "oldText"), newText: textAt(one, "newText") }));
      return (all.length > 0 ? all : [pair]).flatMap(({ oldText, newText }) =>
        newText === null ? [] : [{ type: "diff" as const, path, oldText, newText }],
      );
    }
    case "file_write": {
      const newText = textAt(input, "content");
      // The program does not report what an overwritten file held.
      const isNew = own(output, "fileExisted") !== true && own(output, "overwritten") !== true;
      return newText === null || !isNew ? [] : [{ type: "diff", path, oldText: null, newText }];
    }
    default:
      return [];
  }
}

const firstPath = (input: Fields): string | null =>
  PATHS.map((name) => textAt(input, name)).find((text) => text !== null && text !== "") ?? null;

function locationsOf(input: Fields, cwd: string): Location[] {
  const path = firstPath(input);
  if (path === null) return [];
  const line = numberAt(input, "offset");
  return [line === null || line < 1 ? { path: resolve(cwd, path) } : { path: resolve(cwd, path), line }];
}
