/**
 * Packs installed from folders, archives and an index.
 *
 * P1. A pack is there whole or not at all, and nothing beside its folder changes (T23).
 * P2. An archive without a checksum, or with another one, is not installed.
 * P3. What a person changed is replaced or removed only by force.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Packs } from "../../../actors/api/packs.ts";
import { openPacks } from "../../../actors/packs/packs.ts";
import { sumOf, type TarEntry, tarGz } from "../../support/tar.ts";

let root: string;
let cwd: string;
let packs: Packs;
const NOW = Date.UTC(2030, 0, 1);
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-packs-")));
  cwd = join(root, "work");
  mkdirSync(cwd);
  packs = openPacks({
    cwd,
    folders: { project: join(cwd, ".troupe/workflow-packs"), user: join(root, "user/packs") },
    now: () => NOW,
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const WORKFLOW =
  "name: hi\nstates:\n  initial: a\n  a: {type: step, command: echo hi, on_success: done}\n  done: {type: terminal}\n";
const manifest = (name = "review", version = "1.0.0") =>
  `name: ${name}\nversion: ${version}\ndescription: Looks\nworkflows: [hi]\n`;
const filesOf = (name?: string, version?: string): { [name: string]: string } => ({
  "manifest.yaml": manifest(name, version),
  "workflows/hi.yaml": WORKFLOW,
});
const archive = tarGz;
type Entry = TarEntry;
const entriesOf = (files: { [name: string]: string }): Entry[] =>
  Object.entries(files).map(([path, text]) => ({ path, text }));

function write(path: string, content: string | Buffer): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}
function folder(path: string, files: { [name: string]: string }): string {
  for (const [name, text] of Object.entries(files)) write(join(path, name), text);
  return join(root, path);
}
/** Every path below the root but what was there. */
const tree = (): string[] => (readdirSync(root, { recursive: true }) as string[]).sort();
const refused = (code: string) => expect.objectContaining({ code });

describe("a folder", () => {
  test("is installed whole, with what it was made from, and without what is no part of it (P1)", async () => {
    const from = folder("mine", {
      ...filesOf(),
      "scripts/run.sh": "true",
      ".git/config": "x",
      "node_modules/a/b": "x",
    });
    chmodSync(join(from, "scripts/run.sh"), 0o4755);
    const { replaced, ...installed } = await packs.install(from);
    expect(replaced).toBe(null);
    expect(installed).toEqual({
      ...{ name: "review", version: "1.0.0", description: "Looks", scope: "project", workflows: ["hi"] },
      ...{
        path: join(cwd, ".troupe/workflow-packs/review"),
        source: from,
        isChanged: false,
        fault: null,
      },
    });
    expect((readdirSync(installed.path, { recursive: true }) as string[]).sort()).toEqual(
      [".troupe-pack.json", "manifest.yaml", "scripts", "scripts/run.sh", "workflows", "workflows/hi.yaml"].sort(),
    );
    expect(statSync(join(installed.path, "scripts/run.sh")).mode & 0o7777).toBe(0o755);
    expect(readdirSync(join(cwd, ".troupe"))).toEqual(["workflow-packs"]);
    expect(await packs.list()).toEqual([installed]);
    expect(await packs.info("review")).toEqual(installed);
  });

  test("is refused where it is to have a checksum, which a folder has not (P2)", async () => {
    const from = folder("mine", filesOf());
    await expect(packs.install(from, { sha256: "0".repeat(64) })).rejects.toThrow(refused("USER.PACK.SOURCE"));
    expect(await packs.list()).toEqual([]);
  });

  test("for the user stands beside the directory's own", async () => {
    const from = folder("mine", filesOf());
    await packs.install(from, { scope: "user" });
    await packs.install(from);
    expect((await packs.list()).map(({ scope, path }) => [scope, path])).toEqual([
      ["project", join(cwd, ".troupe/workflow-packs/review")],
      ["user", join(root, "user/packs/review")],
    ]);
  });

  test.each<[string, (from: string) => void]>([
    ["without a manifest", (from) => rmSync(join(from, "manifest.yaml"))],
    ["with a name that leads out", (from) => writeFileSync(join(from, "manifest.yaml"), manifest("../../x"))],
    ["with a link in it", (from) => symlinkSync("/etc/passwd", join(from, "workflows/passwd.yaml"))],
    ["with two names that are one elsewhere", (from) => writeFileSync(join(from, "MANIFEST.yaml"), "")],
  ])("%s is no pack, and nothing is left of it (P1)", async (_, spoil) => {
    const from = folder("mine", filesOf());
    spoil(from);
    const before = tree();
    await expect(packs.install(from)).rejects.toThrow(refused("USER.PACK.INVALID"));
    expect(tree().filter((path) => !before.includes(path))).toEqual(["work/.troupe", "work/.troupe/workflow-packs"]);
  });
});

describe("an archive", () => {
  test.each([[""], ["review-1.0.0/"], ["./"]])(
    "with its files in %j is installed by its checksum (P2)",
    async (top) => {
      const bytes = archive(entriesOf(filesOf()).map((entry) => ({ ...entry, path: top + entry.path })));
      const file = write("a/review.tar.gz", bytes);
      expect(await packs.install(file, { sha256: sumOf(bytes).toUpperCase() })).toMatchObject({
        name: "review",
        source: file,
      });
      expect(readFileSync(join(cwd, ".troupe/workflow-packs/review/workflows/hi.yaml"), "utf8")).toBe(WORKFLOW);
    },
  );

  test("takes its checksum from the file beside it (P2)", async () => {
    const bytes = archive(entriesOf(filesOf()));
    const file = write("a/review.tar.gz", bytes);
    await expect(packs.install(file)).rejects.toThrow(refused("USER.PACK.CHECKSUM_MISSING"));
    write("a/checksums.txt", `${"0".repeat(64)}  other.tar.gz\n${sumOf(bytes)}  review.tar.gz\n`);
    expect(await packs.install(file)).toMatchObject({ name: "review" });
    write("a/checksums.txt", `${sumOf(bytes)} *./review.tar.gz\n`); // of `sha256sum ./*`
    expect(await packs.install(file)).toMatchObject({ name: "review" });
    write("a/checksums.txt", `${"0".repeat(64)}  review.tar.gz\n`);
    await expect(packs.install(file)).rejects.toThrow(refused("USER.PACK.CHECKSUM_MISMATCH"));
    expect(await packs.list()).toHaveLength(1);
  });

  const evil: readonly [string, Entry][] = [
    ["a path that climbs", { path: "workflows/../../../evil", text: "x" }],
    ["a path that climbs with other strokes", { path: "workflows\\..\\..\\evil", text: "x" }],
    ["an absolute path", { path: "/evil", text: "x" }],
    ["a link", { path: "workflows/x.yaml", type: "SymbolicLink", linkpath: "/etc/passwd" }],
    ["a hard link", { path: "workflows/x.yaml", type: "Link", linkpath: "manifest.yaml" }],
    ["a pipe", { path: "workflows/x.yaml", type: "FIFO" }],
    ["a twin in other letters", { path: "WORKFLOWS/HI.YAML", text: "x" }],
  ];
  test.each(evil)("with %s is refused as a whole (P1)", async (_, entry) => {
    const bytes = archive([...entriesOf(filesOf()), entry]);
    const before = tree();
    const file = write("a/review.tar.gz", bytes);
    await expect(packs.install(file, { sha256: sumOf(bytes) })).rejects.toThrow(refused("USER.PACK.INVALID"));
    expect(await packs.list()).toEqual([]);
    expect(tree().filter((path) => !before.includes(path) && !path.startsWith("a"))).toEqual([
      "work/.troupe",
      "work/.troupe/workflow-packs",
    ]);
  });

  test("that unpacks to more than a pack may hold is refused (P1)", async () => {
    const bytes = archive([...entriesOf(filesOf()), { path: "big", text: "0".repeat(70 * 1024 * 1024) }]);
    expect(bytes.length).toBeLessThan(1024 * 1024);
    const file = write("a/review.tar.gz", bytes);
    await expect(packs.install(file, { sha256: sumOf(bytes) })).rejects.toThrow(refused("USER.PACK.INVALID"));
  });

  test("that is cut off is refused", async () => {
    const bytes = archive(entriesOf(filesOf())).subarray(0, 100);
    const file = write("a/review.tar.gz", bytes);
    await expect(packs.install(file, { sha256: sumOf(bytes) })).rejects.toThrow(refused("USER.PACK.INVALID"));
  });
});

describe("an index", () => {
  let server: Server;
  let served: { [path: string]: { status?: number; headers?: object; body?: string | Buffer } };
  let url: string;
  beforeEach(async () => {
    served = {};
    server = createServer(({ url: path = "" }, response) => {
      const { status = 200, headers = {}, body } = served[path] ?? { status: 404 };
      response.writeHead(status, headers as Record<string, string>).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => server.close());
  function offer(version: string, sum?: string): void {
    const bytes = archive(entriesOf(filesOf("review", version)));
    served["/packs/review.tar.gz"] = { body: bytes };
    const pack = {
      name: "review",
      version,
      description: "Looks",
      url: "packs/review.tar.gz",
      sha256: sum ?? sumOf(bytes),
    };
    served["/index.json"] = { body: JSON.stringify({ packs: [pack] }) };
  }

  test("is searched, installs a pack by its name, and brings its next version", async () => {
    offer("1.0.0");
    const index = `${url}/index.json`;
    expect(await packs.search("LOOK", index)).toEqual([
      { name: "review", version: "1.0.0", description: "Looks", installed: null },
    ]);
    expect(await packs.search("other", index)).toEqual([]);
    expect(await packs.install("review", { index })).toMatchObject({
      name: "review",
      source: `${url}/packs/review.tar.gz`,
    });
    expect(await packs.update()).toEqual([]);
    offer("1.1.0");
    expect(await packs.search("", index)).toMatchObject([{ version: "1.1.0", installed: "1.0.0" }]);
    expect(await packs.update("review")).toEqual([{ name: "review", from: "1.0.0", to: "1.1.0" }]);
    server.close();
    expect(await packs.info("review")).toMatchObject({ version: "1.1.0", isChanged: false });
  });

  test("by its path names archives beside it", async () => {
    const bytes = archive(entriesOf(filesOf()));
    write("shop/review.tar.gz", bytes);
    const pack = { name: "review", version: "1.0.0", url: "review.tar.gz", sha256: sumOf(bytes) };
    const index = write("shop/index.json", JSON.stringify({ packs: [pack] }));
    expect(await packs.install("review", { index })).toMatchObject({ name: "review" });
    await expect(packs.install("other", { index })).rejects.toThrow(refused("USER.FACADE.PACK_NOT_FOUND"));
    await expect(packs.install("review")).rejects.toThrow(/--index/);
  });

  test("whose archive is another one installs nothing (P2)", async () => {
    offer("1.0.0", "0".repeat(64));
    await expect(packs.install("review", { index: `${url}/index.json` })).rejects.toThrow(
      refused("USER.PACK.CHECKSUM_MISMATCH"),
    );
    expect(await packs.list()).toEqual([]);
  });

  test.each([
    ["gone", undefined, "USER.PACK.UNREACHABLE"],
    ["no JSON", { body: "<html>" }, "USER.PACK.INDEX"],
    ["without packs", { body: "{}" }, "USER.PACK.INDEX"],
    [
      "sent on to a place that is not safe",
      { status: 302, headers: { location: "http://example.invalid/" } },
      "USER.PACK.SOURCE",
    ],
    ["sent on for ever", { status: 302, headers: { location: "/index.json" } }, "USER.PACK.UNREACHABLE"],
  ])("that is %s is reported as that", async (_, answer, code) => {
    if (answer !== undefined) served["/index.json"] = answer;
    await expect(packs.search("", `${url}/index.json`)).rejects.toThrow(refused(code));
  });
});

test.each([
  "http://example.invalid/a.tar.gz",
  "https://me:pass@example.invalid/a.tar.gz",
  "ftp://example.invalid/a.tar.gz",
  "./none",
])("%s is no source", async (source) => {
  await expect(packs.install(source)).rejects.toThrow(refused("USER.PACK.SOURCE"));
});

describe("a pack that is there", () => {
  test("and was changed is replaced, updated and removed by force alone (P3)", async () => {
    const from = folder("mine", filesOf());
    const { path } = await packs.install(from);
    writeFileSync(join(path, "workflows/hi.yaml"), "mine");
    expect(await packs.info("review")).toMatchObject({ isChanged: true });
    const kept = refused("USER.PACK.CHANGED");
    await expect(packs.install(from)).rejects.toThrow(kept);
    await expect(packs.update("review")).rejects.toThrow(kept);
    await expect(packs.remove("review")).rejects.toThrow(kept);
    expect(readFileSync(join(path, "workflows/hi.yaml"), "utf8")).toBe("mine");
    expect(await packs.install(from, { force: true })).toMatchObject({ isChanged: false });
    expect(await packs.remove("review")).toMatchObject({ name: "review" });
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(join(cwd, ".troupe"))).toEqual(["workflow-packs"]);
    await expect(packs.remove("review")).rejects.toThrow(refused("USER.FACADE.PACK_NOT_FOUND"));
  });

  test("and was made by hand is listed, and is never replaced (P3)", async () => {
    folder("work/.troupe/workflow-packs/review", filesOf());
    expect(await packs.list()).toMatchObject([{ name: "review", source: null, isChanged: false }]);
    for (const attempt of [
      () => packs.install(folder("mine", filesOf())),
      () => packs.remove("review"),
      () => packs.update("review"),
    ])
      await expect(attempt()).rejects.toThrow(refused("USER.PACK.CHANGED"));
    expect(await packs.update()).toEqual([]);
  });

  test("and whose source has other files now is installed anew", async () => {
    const from = folder("mine", filesOf());
    await packs.install(from);
    expect(await packs.update()).toEqual([]);
    write("mine/workflows/hi.yaml", `${WORKFLOW}# more\n`);
    expect(await packs.update()).toEqual([{ name: "review", from: "1.0.0", to: "1.0.0" }]);
  });
});

test("what a dead process left is settled by the next change (P1)", async () => {
  const { path } = await packs.install(folder("mine", filesOf()));
  const beside = join(cwd, ".troupe");
  renameSync(path, join(beside, ".pack-old-review"));
  mkdirSync(join(beside, ".pack-new-fresh"));
  mkdirSync(join(beside, ".pack-new-stale"));
  utimesSync(join(beside, ".pack-new-fresh"), NOW / 1000, NOW / 1000);
  utimesSync(join(beside, ".pack-new-stale"), NOW / 1000 - 7200, NOW / 1000 - 7200);
  await packs.install(folder("second", filesOf("second")));
  expect(readdirSync(beside).sort()).toEqual([".pack-new-fresh", "workflow-packs"]);
  expect((await packs.list()).map(({ name }) => name)).toEqual(["review", "second"]);
});
