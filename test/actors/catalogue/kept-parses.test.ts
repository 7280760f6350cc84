import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Catalogue } from "../../../actors/catalogue/catalogue.ts";
import { KeptParses, type KeptParsesOptions } from "../../../actors/catalogue/kept-parses.ts";
import type { Parsed } from "../../../machines/workflow/parse.ts";
import { house } from "./support.ts";

let root: string;
let options: KeptParsesOptions;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-parses-")));
  options = { folder: join(root, "state", "parsed"), build: "one", isPlain: () => true };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const PARSED: Parsed = { workflow: null, draft: null, findings: [] };
function origin(name = "a.yaml", text = "name: a"): { file: string; awf: boolean; known: string; text: string } {
  const file = join(root, "workflows", name);
  mkdirSync(join(root, "workflows"), { recursive: true });
  writeFileSync(file, text);
  return { file, awf: false, known: "[]", text };
}
function kept(of = origin()): string {
  const parses = new KeptParses(options);
  parses.keep(of, PARSED);
  parses.close();
  const [name = ""] = readdirSync(options.folder);
  return join(options.folder, name);
}
const found = (of = origin()): Parsed | null => new KeptParses(options).of(of);

test("what one process parsed another finds, for that text, that build and those names alone (I2)", () => {
  kept();
  const of = origin();
  expect(found(of)).toEqual(PARSED);
  expect(found({ ...of, text: "name: b" })).toBe(null);
  expect(found({ ...of, known: '["server"]' })).toBe(null);
  expect(found({ ...of, awf: true })).toBe(null);
  expect(found(origin("b.yaml"))).toBe(null);
  options = { ...options, build: "two" };
  expect(found(of)).toBe(null);
});

test("a file that others may write, and a link, is not read (I1)", () => {
  const path = kept();
  chmodSync(path, 0o620);
  expect(found()).toBe(null);
  chmodSync(path, 0o600);
  expect(found()).toEqual(PARSED);
  renameSync(path, join(root, "elsewhere"));
  symlinkSync(join(root, "elsewhere"), path);
  expect(found()).toBe(null);
});

test.skipIf(process.getuid?.() !== 0)("a file of another user is not read (I1)", async () => {
  const { chownSync } = await import("node:fs");
  chownSync(kept(), 65_534, 65_534);
  expect(found()).toBe(null);
});

test("every damaged byte is as if there were nothing, or changes nothing (I3)", () => {
  const path = kept();
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x20;
    writeFileSync(path, damaged);
    expect([null, JSON.stringify(PARSED)], `byte ${at}`).toContain(found() && JSON.stringify(found()));
  }
  writeFileSync(path, bytes.subarray(0, bytes.length - 1));
  expect(found()).toBe(null);
});

test("what may not be written down is not (I4)", () => {
  options = { ...options, isPlain: (json) => !json.includes("secret") };
  const parses = new KeptParses(options);
  parses.keep(origin("a.yaml", "name: secret"), PARSED);
  parses.keep(origin("b.yaml"), PARSED);
  parses.close();
  expect(found(origin("a.yaml", "name: secret"))).toBe(null);
  expect(found(origin("b.yaml"))).toEqual(PARSED);
});

test("documents of files that are gone go too, and the oldest of many folders (I5)", () => {
  const path = kept();
  const gone = origin("gone.yaml");
  kept(gone);
  rmSync(gone.file);
  kept(origin("c.yaml"));
  expect(readFileSync(path, "latin1")).not.toContain("gone.yaml");
  for (let at = 0; at < 64; at++) {
    const name = join(options.folder, `other-${at}`);
    writeFileSync(name, "");
    utimesSync(name, 1_000 + at, 1_000 + at);
  }
  kept();
  expect(readdirSync(options.folder)).toHaveLength(64);
  expect(readdirSync(options.folder)).not.toContain("other-0");
});

test("where nothing can be written, nothing fails (I6)", () => {
  mkdirSync(join(root, "state"));
  writeFileSync(options.folder, "no folder");
  const parses = new KeptParses(options);
  parses.keep(origin(), PARSED);
  parses.close();
  expect(found()).toBe(null);
});

const DOCS = fileURLToPath(new URL("../../../docs/", import.meta.url));
test.each(["examples", "language"])("every document of docs/%s is kept as it was parsed", async (folder) => {
  const { catalogue: plain, cwd, write, options: of } = house();
  const texts = readdirSync(join(DOCS, folder)).filter((name) => name.endsWith(".yaml"));
  for (const name of texts) write(join("work/.troupe/workflows", name), readFileSync(join(DOCS, folder, name), "utf8"));
  const keeping = () => new Catalogue({ ...of, keptParses: options });
  const first = await keeping().list(cwd);
  const json = readFileSync(join(options.folder, readdirSync(options.folder)[0] ?? ""), "utf8");
  let read = 0;
  for (const { id, fault } of first) {
    if (fault !== null) continue;
    read += Number(json.includes(`"troupe:${id}.yaml"`));
    expect(await keeping().load(cwd, id)).toStrictEqual(await plain.load(cwd, id));
    expect(await keeping().validate(cwd, id)).toStrictEqual(await plain.validate(cwd, id));
  }
  expect(read).toBeGreaterThan(texts.length / 2);
  expect(await keeping().list(cwd)).toStrictEqual(await plain.list(cwd));
});
