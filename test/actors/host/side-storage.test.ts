/** Attachments and conversations, which both storages keep alike. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MemoryStorage } from "../../../actors/host/memory/memory-storage.ts";
import { Store } from "../../../actors/host/sqlite/store.ts";

test("attachments and conversations of both are a session's own, in order, within their limit, and go with it", () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-storage-"));
  const file = new Store(join(folder, "troupe.db"), "normal");
  const piece = (id: string, text: string) =>
    ({ type: "image", id, mimeType: "image/png", data: Buffer.from(text) }) as const;
  const [a, b] = ["session/a", "session/b"] as const;
  try {
    for (const { attachments, conversations } of [file, new MemoryStorage()]) {
      expect(attachments.keep(a, [piece("1", "12345"), piece("1", "12345"), piece("2", "12345")], 10)).toBe(true);
      expect(attachments.keep(a, [piece("3", "1")], 10)).toBe(false);
      expect(attachments.keep(b, [], 0)).toBe(true);
      conversations.add(a, "c", ["one", "two"]);
      conversations.add(a, "d", ["other"]);
      conversations.add(a, "c", ["three"]);
      const all = () => [
        ["1", "3"].map((id) => attachments.read(a, id)?.data.toString()),
        attachments.read(b, "1"),
        [a, b].map((of) => conversations.read(of, "c")),
      ];
      expect(all()).toEqual([["12345", undefined], undefined, [["one", "two", "three"], []]]);
      attachments.forget(a);
      conversations.forget(a);
      expect(all()).toEqual([[undefined, undefined], undefined, [[], []]]);
    }
  } finally {
    file.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
