/**
 * Read, Write and Edit: text files of the workspace, by the same rules as an ACP client's (`actors/acp-client/files`).
 *
 * I1. No path leads out of the workspace, whatever links are in it or come into being meanwhile.
 * I2. An edit is made to the text that was shown when it was asked about; a file that has changed is asked about again.
 */
import { isAbsolute, join } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { FileEdit } from "../../machines/exchange.ts";
import { readTextFile } from "../acp-client/files/read.ts";
import { writeTextFile } from "../acp-client/files/write.ts";
import { allowed, asJson, type Bench, type ToolCall, type ToolEnd, ToolFault, tool } from "./tool.ts";

const MAX_SHOWN_LINES = 2000;
const path = z.string().min(1).describe("The file, absolute or relative to the working directory.");

const placed = (file: string, { cwd }: Bench): string => (isAbsolute(file) ? file : join(cwd, file));

/** What a file tool says in place of an error of the protocol. */
async function told<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const why =
      error.code === -32002 ? "there is no such file" : error.message.replace(/^(Invalid path|Internal error): /, "");
    throw new ToolFault(`${file}: ${why}`);
  }
}

const textOf = (file: string, call: ToolCall, part: { line?: number; limit?: number } = {}): Promise<string> => {
  const readSecret = (secret: string) =>
    call.bench
      .ask({ name: "Read", kind: "read", input: { path: secret }, locations: [{ path: secret }] }, call.signal)
      .then((answer) => answer.allowed);
  return told(file, () =>
    readTextFile(call.bench.roots, { path: placed(file, call.bench), ...part }, { readSecret }, call.signal),
  );
};

export const Read = tool({
  name: "Read",
  description: "Reads a text file of the workspace, with line numbers.",
  kind: "read",
  input: z.object({
    path,
    offset: z.int().min(1).optional().describe("The first line, from 1."),
    limit: z.int().min(1).max(MAX_SHOWN_LINES).optional().describe(`How many lines; ${MAX_SHOWN_LINES} by default.`),
  }),
  title: (input) => `Read ${input.path}`,
  async run({ path: file, offset = 1, limit = MAX_SHOWN_LINES }, call): Promise<ToolEnd> {
    const at = placed(file, call.bench);
    await allowed({ name: "Read", kind: "read", input: { path: at }, locations: [{ path: at }], confined: true }, call);
    const text = await textOf(file, call, { line: offset, limit: limit + 1 });
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    const numbered = lines.slice(0, limit).map((line, index) => `${offset + index}\t${line}`);
    if (lines.length > limit) numbered.push(`(there is more; read on with offset ${offset + limit})`);
    return { text: numbered.join("\n") || "(no lines)", locations: [{ path: at, line: offset }] };
  },
});

async function write(
  name: string,
  file: string,
  content: string,
  input: { [name: string]: unknown },
  call: ToolCall,
  expected?: string,
): Promise<ToolEnd> {
  const at = placed(file, call.bench);
  let before: string | null = null;
  const review = async (edit: FileEdit, signal: AbortSignal): Promise<boolean> => {
    if (expected !== undefined && edit.oldText !== expected)
      throw new ToolFault(`${file}: the file has changed; read it again`);
    before = edit.oldText;
    await allowed(
      { name, kind: "edit", input: asJson({ ...input, path: at }), edits: [edit], locations: [{ path: at }] },
      { ...call, signal },
    );
    return true;
  };
  const { roots, editorWrite } = call.bench;
  await told(file, () => writeTextFile(roots, { path: at, content }, review, call.signal, editorWrite));
  return {
    text: `${file} was written`,
    content: [{ type: "diff", path: at, oldText: before, newText: content }],
    locations: [{ path: at }],
  };
}

export const Write = tool({
  name: "Write",
  description: "Writes a text file of the workspace as a whole; folders that are missing are made.",
  kind: "edit",
  input: z.object({ path, content: z.string().describe("The whole text.") }),
  title: (input) => `Write ${input.path}`,
  run: ({ path: file, content }, call) => write("Write", file, content, { content }, call),
});

export const Edit = tool({
  name: "Edit",
  description:
    "Replaces a text in a file of the workspace. The old text must be there exactly once, unless replace_all is set.",
  kind: "edit",
  input: z.object({
    path,
    old: z.string().min(1).describe("The text as it stands in the file."),
    new: z.string().describe("The text in its place."),
    replace_all: z.boolean().optional().describe("Replace it wherever it stands."),
  }),
  title: (input) => `Edit ${input.path}`,
  async run({ path: file, old, new: text, replace_all: all = false }, call): Promise<ToolEnd> {
    const at = placed(file, call.bench);
    // What stands in a file is not to be found out by edits that fail.
    for (const kind of ["read", "edit"] as const) {
      const question = { name: "Edit", kind, input: { path: at }, locations: [{ path: at }] };
      if (call.bench.rules(question) === "deny") await allowed(question, call);
    }
    const before = await textOf(file, call);
    const count = before.split(old).length - 1;
    if (count === 0) throw new ToolFault(`${file}: the old text does not stand in the file`);
    if (count > 1 && !all)
      throw new ToolFault(`${file}: the old text stands there ${count} times; give more of it, or set replace_all`);
    return write("Edit", file, before.split(old).join(text), { old, new: text }, call, before);
  },
});
