/** What a tool of OpenCode is to a reader: its kind, a title, the places it touches, its end. */
import { resolve } from "node:path";
import type { Block, Location, ToolKind } from "../../../machines/exchange.ts";
import { own } from "../../../machines/model.ts";
import { type Fields, fieldsAt, numberAt, textAt } from "../../base/json.ts";
import type { ToolEvent } from "../agent.ts";
import { patched } from "../patch.ts";
import { shortened } from "../titles.ts";

const KINDS: { readonly [tool: string]: ToolKind } = {
  bash: "execute",
  read: "read",
  edit: "edit",
  multiedit: "edit",
  patch: "edit",
  apply_patch: "edit",
  write: "edit",
  glob: "search",
  grep: "search",
  list: "search",
  codesearch: "search",
  webfetch: "fetch",
  websearch: "fetch",
  task: "think",
  todowrite: "think",
  todoread: "think",
  skill: "read",
};
const SUBJECTS = ["filePath", "pattern", "url", "query", "path", "description", "name"];
const PATHS = ["filePath", "path"];

/** `servers`: the names of the step's MCP servers; a tool of theirs has the server's name before its own. */
export type ToolContext = { cwd: string; servers: readonly string[] };

/** The events of a call, which the program reports when it has ended: its beginning is made of the same part. */
export function toolEvents(part: Fields, { cwd, servers }: ToolContext): ToolEvent[] | null {
  const call = textAt(part, "callID");
  const tool = textAt(part, "tool");
  const state = fieldsAt(part, "state");
  const status = textAt(state, "status");
  if (call === null || tool === null) return null;
  if (status !== "completed" && status !== "error") return null;
  const input = fieldsAt(state, "input");
  const locations = locationsOf(input, cwd);
  const begun: ToolEvent = {
    call,
    title: ofServer(tool, servers) ?? titleOf(tool, input),
    kind: own(KINDS, tool) ?? "other",
    status: "in_progress",
  };
  begun.input = { ...input };
  if (locations.length > 0) begun.locations = locations;
  const exit = numberAt(fieldsAt(state, "metadata"), "exit");
  const failed = status === "error" || (exit !== null && exit !== 0);
  const content = failed ? textOf(state) : (diffOf(tool, input, state, cwd) ?? textOf(state));
  const ended: ToolEvent = { call, status: failed ? "failed" : "completed" };
  if (content.length > 0) ended.content = content;
  return [begun, ended];
}

function textOf(state: Fields): Block[] {
  const text = (textAt(state, "output") ?? textAt(state, "error") ?? "").replace(/\n$/, "");
  return text === "" ? [] : [{ type: "text", text }];
}

function diffOf(tool: string, input: Fields, state: Fields, cwd: string): Block[] | null {
  if (own(KINDS, tool) !== "edit") return null;
  const metadata = fieldsAt(state, "metadata");
  const patch = textAt(metadata, "diff") ?? textAt(fieldsAt(metadata, "filediff"), "patch");
  if (patch !== null) {
    const diffs = patched(patch, cwd);
    if (diffs.length > 0) return diffs;
  }
  const path = textAt(input, "filePath");
  const newText = textAt(input, "content");
  // The program does not report what a written file held before.
  if (path === null || newText === null || own(metadata, "exists") !== false) return null;
  return [{ type: "diff", path: resolve(cwd, path), oldText: null, newText }];
}

function ofServer(tool: string, servers: readonly string[]): string | null {
  const server = servers.find((name) => tool.startsWith(`${toolPart(name)}_`));
  return server === undefined ? null : `${server}: ${tool.slice(server.length + 1)}`;
}

/** How the program writes a server's name in the names of its tools. */
export const toolPart = (server: string): string => server.replace(/[^A-Za-z0-9_-]/g, "_");

function titleOf(tool: string, input: Fields): string {
  const command = tool === "bash" ? textAt(input, "command") : null;
  if (command !== null && command.trim() !== "") return shortened(command);
  const subject = SUBJECTS.map((field) => textAt(input, field)).find((text) => text !== null && text !== "");
  return subject == null || own(KINDS, tool) === undefined ? tool : shortened(`${tool} ${subject}`);
}

function locationsOf(input: Fields, cwd: string): Location[] {
  const path = PATHS.map((field) => textAt(input, field)).find((text) => text !== null && text !== "");
  if (path == null) return [];
  const line = numberAt(input, "offset");
  return [line === null || line < 1 ? { path: resolve(cwd, path) } : { path: resolve(cwd, path), line }];
}
