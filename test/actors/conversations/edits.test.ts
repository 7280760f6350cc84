/** What an agent changed in files, accepted or rejected one by one. Numbers are the invariants of `edits.ts`. H46. */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Roots } from "../../../actors/acp-client/files/roots.ts";
import { Edits } from "../../../actors/conversations/edits.ts";

let root: string;
let file: string;
let edits: Edits;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "edits-"));
  file = join(root, "a.txt");
  writeFileSync(file, "one\ntwo\nthree\n");
  edits = new Edits(await Roots.of(root));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const piece = (oldText: string | null, newText: string) => [{ path: file, oldText, newText }];
const text = (): string => readFileSync(file, "utf8");

test("what the agent wrote itself is taken back to what was there before it (I2)", async () => {
  edits.announced(piece("two", "2"));
  writeFileSync(file, "one\n2\nthree\n");
  edits.done(piece("two", "2"));
  expect(edits.fresh()).toEqual([
    { path: file, oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n", fate: "open" },
  ]);
  expect(await edits.reject(file)).toMatchObject({ fate: "rejected" });
  expect([text(), edits.all]).toEqual(["one\ntwo\nthree\n", []]);
});

test("several edits of a file are one, and an accepted one is where the next begins (I1)", async () => {
  for (const [before, after] of [
    ["two", "2"],
    ["three", "3"],
  ] as const) {
    edits.announced(piece(before, after));
    writeFileSync(file, text().replace(before, after));
    edits.done(piece(before, after));
  }
  expect(edits.all).toHaveLength(1);
  edits.accept(file);
  edits.written({ path: file, oldText: text(), newText: "all new\n" });
  writeFileSync(file, "all new\n");
  await edits.reject(file);
  expect(text()).toBe("one\n2\n3\n");
});

test("a file that was changed since is not touched (I3)", async () => {
  edits.written({ path: file, oldText: text(), newText: "agent\n" });
  writeFileSync(file, "mine\n");
  expect(await edits.reject(file)).toMatchObject({ fate: "changed" });
  expect(text()).toBe("mine\n");
  writeFileSync(file, "agent\n");
  expect(await edits.reject(file)).toMatchObject({ fate: "rejected" });
});

test("a file that the agent made is removed, where it is still as it was made (I3)", async () => {
  const made = join(root, "new.txt");
  for (const [now, fate] of [
    ["other", "changed"],
    ["made", "rejected"],
  ] as const) {
    edits.written({ path: made, oldText: null, newText: "made" });
    writeFileSync(made, now);
    expect(await edits.reject(made)).toMatchObject({ fate });
  }
  expect(existsSync(made)).toBe(false);
});

test("a file that is as it was when the turn ends is not to be decided (I4)", () => {
  const made = join(root, "made.txt");
  const diffs = [{ path: made, oldText: null, newText: "new" }];
  edits.announced([...diffs, ...piece("two", "2")]);
  writeFileSync(made, "new");
  writeFileSync(file, text().replace("two", "2"));
  edits.done([...diffs, ...piece("two", "2")]);
  expect(edits.fresh().map(({ path }) => path)).toEqual([made, file]);
  rmSync(made);
  expect(edits.fresh()).toEqual([]);
  expect(edits.all.map(({ path }) => path)).toEqual([file]);
  writeFileSync(file, text().replace("2", "two"));
  expect([edits.fresh(), edits.all]).toEqual([[], []]);
});

test("what was written before it could be looked at is read from the diff, where that is plain (I2)", async () => {
  writeFileSync(file, "one\n2\nthree\n");
  edits.done(piece("two", "2"));
  await edits.reject(file);
  expect(text()).toBe("one\ntwo\nthree\n");
  writeFileSync(file, "2\n2\n");
  edits.done(piece("two", "2"));
  expect(edits.fresh()).toMatchObject([{ fate: "unknown" }]);
  await edits.reject(file);
  expect(text()).toBe("2\n2\n");
});

test("nothing outside of the folder, and no link, is read or taken back", async () => {
  const outside = mkdtempSync(join(tmpdir(), "outside-"));
  const [far, link] = [join(outside, "far.txt"), join(root, "link.txt")];
  writeFileSync(far, "far");
  symlinkSync(far, link);
  for (const path of [far, link]) {
    edits.announced([{ path, oldText: "x", newText: "far" }]);
    edits.done([{ path, oldText: "x", newText: "far" }]);
  }
  expect(edits.all).toEqual([]);
  edits.written({ path: link, oldText: "x", newText: "far" });
  await expect(edits.reject(link)).resolves.toMatchObject({ fate: "changed" });
  expect(readFileSync(far, "utf8")).toBe("far");
  rmSync(outside, { recursive: true });
});
