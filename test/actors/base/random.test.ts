import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bytesOf, randomWord } from "../../../actors/base/random.ts";

it("I1 no two words are the same, across many stocks", () => {
  const words = Array.from({ length: 2_000 }, () => randomWord(9, "base64url"));
  expect(new Set(words).size).toBe(2_000);
  expect(words.every((word) => /^[\w-]{12}$/.test(word))).toBe(true);
});

it("I1 no byte is used twice: a word holds nothing of the one before it", () => {
  for (let at = 0; at < 1_000; at++) {
    const first = randomWord(8, "hex");
    expect(randomWord(8, "hex").slice(0, 8)).not.toBe(first.slice(-8));
  }
});

it("I2 reads what the system gives, and nothing that only looks like it", () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-random-"));
  const plain = join(folder, "urandom");
  writeFileSync(plain, Buffer.alloc(64, 7));
  expect([bytesOf(plain, 8), bytesOf(`${plain}.none`, 8), bytesOf("/dev/null", 8)]).toEqual([null, null, null]);
  rmSync(folder, { recursive: true });
  expect(bytesOf("/dev/urandom", 8)?.length).toBe(process.platform === "win32" ? undefined : 8);
});
