import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAttachments } from "../../../actors/attachments/attachments.ts";
import type { AttachedData } from "../../../actors/attachments/take.ts";
import { attachmentTable } from "../../../actors/host/sqlite/attachments.ts";
import type { Key } from "../../../machines/model.ts";
import { attachmentsIn } from "../../support/kept.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-attachments-"));
  file = join(folder, "below", "attachments.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

const piece = (id: string, text = id): AttachedData => ({
  attached: { type: "image", id, mimeType: "image/png", bytes: text.length },
  data: Buffer.from(text),
});
const MOST = 10;
const open = () => openAttachments(attachmentsIn(file));
const forget = (session: Key): void => attachmentTable(file).forget(session);

describe("what a session keeps", () => {
  it("is read by it alone, by its id, and goes with it (I2)", async () => {
    const attachments = open();
    expect(attachments.read("session/a", "1")).toBeUndefined();
    forget("session/a");
    await attachments.keep("session/a", [piece("1"), piece("2"), piece("1")], MOST);
    await attachments.keep("session/b", [piece("1")], MOST);
    const kept = { type: "image", id: "1", mimeType: "image/png", data: Buffer.from("1") };
    expect(open().read("session/a", "1")).toEqual(kept);
    expect(attachments.read("session/b", "2")).toBeUndefined();
    forget("session/a");
    expect(attachments.read("session/a", "1")).toBeUndefined();
    expect(attachments.read("session/b", "1")).toEqual(kept);
  });

  it("is there after a kill -9 right behind `keep` (I1)", async () => {
    const url = JSON.stringify(new URL("../../../actors/host/sqlite/attachments.ts", import.meta.url).href);
    const code = `const { attachmentTable } = await import(${url});
      const kept = { type: "image", id: "1", mimeType: "image/png", data: Buffer.from("x") };
      attachmentTable(${JSON.stringify(file)}).keep("session/a", [kept], 10);
      process.kill(process.pid, "SIGKILL");`;
    const { signal } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      cwd: fileURLToPath(new URL("../../..", import.meta.url)),
    });
    expect(signal).toBe("SIGKILL");
    expect(open().read("session/a", "1")?.data.toString()).toBe("x");
  });

  it("is no more than is allowed (I3)", async () => {
    const attachments = open();
    await attachments.keep("session/a", [piece("1", "12345")], MOST);
    await attachments.keep("session/a", [piece("1", "12345"), piece("2", "12345")], MOST);
    await expect(attachments.keep("session/a", [piece("3")], MOST)).rejects.toThrow("more than 10 bytes");
    expect(attachments.read("session/a", "3")).toBeUndefined();
    await attachments.keep("session/b", [piece("3")], MOST);
  });

  it("is this user's alone", async () => {
    await open().keep("session/a", [piece("1")], MOST);
    for (const name of readdirSync(join(folder, "below")))
      expect(statSync(join(folder, "below", name)).mode & 0o777).toBe(0o600);
  });
});
