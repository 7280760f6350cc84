/**
 * `_troupe/session/export`: the session's log as lines of JSON, masked as it is stored: a header, then a row a line.
 *
 * I1. An answer holds at most MAX_CHARS of rows, but one row at least; `next` says where the rest begins.
 */
import { RequestError } from "@agentclientprotocol/sdk";
import type { EditorConnection } from "../connection.ts";

export const MAX_CHARS = 4 * 1024 * 1024;
const PAGE = 512;

export type ExportRequest = { sessionId: string; format: string; after: number };
export type ExportResponse = { sessionId: string; format: "jsonl"; content: string; next: number | null };

export async function exportSession(
  connection: EditorConnection,
  { sessionId, format, after }: ExportRequest,
): Promise<ExportResponse> {
  if (format !== "jsonl")
    throw new RequestError(-32602, `"format" must be "jsonl", not "${format}"`, { field: "format" });
  const session = connection.find(sessionId)?.session ?? (await (await connection.service.open()).open(sessionId));
  const header = { type: "session", id: sessionId, cwd: session.cwd, format: 1 };
  const lines = after === 0 ? [JSON.stringify(header)] : [];
  let chars = 0;
  let seq = after;
  const head = session.head();
  while (seq < head && chars < MAX_CHARS) {
    for (const row of session.rows(seq, PAGE)) {
      if (chars >= MAX_CHARS) break;
      const line = JSON.stringify(row);
      lines.push(line);
      chars += line.length;
      seq = row.seq;
    }
  }
  const content = lines.map((line) => `${line}\n`).join("");
  return { sessionId, format: "jsonl", content, next: seq < head ? seq : null };
}
