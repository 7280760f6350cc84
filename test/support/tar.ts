/** Archives as a test wants them, hostile ones too. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { Header, type HeaderData } from "tar";

export type TarEntry = Partial<HeaderData> & { path: string; text?: string };
const MADE = new Date(Date.UTC(2030, 0, 1));

/** A `.tar.gz` of these, whatever they say. */
export function tarGz(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ text = "", ...about }) => {
    const bytes = Buffer.from(text);
    const plain = { mode: 0o644, uid: 0, gid: 0, mtime: MADE, type: "File" } as const;
    const header = new Header({ ...plain, ...about, size: bytes.length });
    const block = Buffer.alloc(512);
    header.encode(block);
    return [block, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}
export const sumOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
