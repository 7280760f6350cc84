/** Archives of a registry: asked for, checked, unpacked within limits. H14. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentsFolder, fetchedArchive } from "../../../../actors/config/agents/archives.ts";
import { archiveOf, parseRegistry, platformOf } from "../../../../actors/config/agents/registry.ts";
import { sumOf, type TarEntry, tarGz } from "../../../support/tar.ts";

const FILES: TarEntry[] = [
  { path: "./bin/agent", text: "#!/bin/sh\necho hello\n", mode: 0o644 },
  { path: "bin/lib/data", text: "data", mode: 0o4777 },
];
const BYTES = tarGz(FILES);

let root: string;
let server: Server;
let served: { [path: string]: Buffer };
let asked: string[];
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-archives-")));
  [served, asked] = [{ "/a/agent.tar.gz": BYTES }, []];
  server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const body = served[url];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
});
afterEach(() => {
  server.close();
  rmSync(root, { recursive: true, force: true });
});
const host = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const ARCHIVE = { archive: "a/agent.tar.gz", cmd: "./bin/agent", args: ["--acp"], env: { MODE: "acp" } };
const agentOf = (archive: object, version = "1.2.3") => {
  const entry = { id: "goose", name: "Goose", version, distribution: { binary: { [platformOf()]: archive } } };
  const [agent] = parseRegistry(JSON.stringify({ agents: [entry] }), "registry.json");
  if (agent === undefined) throw new Error("no agent");
  return agent;
};
async function fetched(archive: object, given: { sha256?: string } = {}, version?: string) {
  const agent = agentOf({ ...ARCHIVE, ...archive }, version);
  const found = archiveOf(agent);
  if (found === null) throw new Error("no archive");
  const place = { type: "url", url: `${host()}/registry.json` } as const;
  return await fetchedArchive(agent, found, { ...given, place, environment: { HOME: root } });
}
const there = (): string[] => {
  const folder = join(agentsFolder({ HOME: root }), "goose");
  return existsSync(folder) ? readdirSync(folder) : [];
};

test("is fetched with the digest that is given, or that the file pins, into a folder of its version", async () => {
  const sha256 = sumOf(BYTES);
  const made = await fetched({}, { sha256: sha256.toUpperCase() });
  const folder = join(root, ".local", "share", "troupe", "agents", "goose", `1.2.3-${sha256.slice(0, 12)}`);
  expect(made).toEqual({ command: join(folder, "bin", "agent"), args: ["--acp"], env: { MODE: "acp" }, cwd: null });
  expect(readFileSync(made.command, "utf8")).toContain("echo hello");
  expect([made.command, join(folder, "bin/lib/data")].map((path) => statSync(path).mode & 0o7777)).toEqual([
    0o755, 0o755,
  ]);
  expect(asked).toEqual(["/a/agent.tar.gz"]);
  // It is there: nothing is fetched again.
  expect(await fetched({ sha256 })).toEqual(made);
  expect(asked).toHaveLength(1);
  expect((await fetched({ sha256 }, {}, "1.2.4")).command).toContain("1.2.4-");
});

test("without a digest nothing is fetched; with another one nothing is unpacked (I1)", async () => {
  await expect(fetched({})).rejects.toMatchObject({
    code: "USER.AGENT.PRESET",
    message: expect.stringContaining("--sha256"),
  });
  await expect(fetched({ sha256: "short" })).rejects.toMatchObject({ code: "USER.AGENT.PRESET" });
  expect(asked).toEqual([]);
  await expect(fetched({}, { sha256: "0".repeat(64) })).rejects.toThrow("Nothing was unpacked");
  expect(there()).toEqual([]);
});

test.each<[string, TarEntry]>([
  ["a path that climbs", { path: "bin/../../../evil", text: "x" }],
  ["an absolute path", { path: "/evil", text: "x" }],
  ["a link", { path: "bin/x", type: "SymbolicLink", linkpath: "/etc/passwd" }],
  ["a hard link", { path: "bin/x", type: "Link", linkpath: "bin/agent" }],
  ["a device", { path: "bin/x", type: "CharacterDevice" }],
  ["a twin in other letters", { path: "BIN/AGENT", text: "x" }],
])("with %s is refused as a whole (I3)", async (_, entry) => {
  const bytes = tarGz([...FILES, entry]);
  served["/a/agent.tar.gz"] = bytes;
  await expect(fetched({}, { sha256: sumOf(bytes) })).rejects.toMatchObject({ code: "USER.AGENT.PRESET" });
  expect(there()).toEqual([]);
  expect(readdirSync(root).filter((name) => name !== ".local")).toEqual([]);
});

test("what runs is a file of it, and what is fetched comes by https or from this machine (I3)", async () => {
  const sha256 = sumOf(BYTES);
  for (const cmd of ["../agent", "/bin/sh", "bin", "bin/none"])
    await expect(fetched({ cmd, sha256 })).rejects.toThrow("which is not in its archive");
  await expect(fetched({ archive: "http://example.invalid/agent.tar.gz", sha256 })).rejects.toMatchObject({
    code: "USER.PACK.SOURCE",
  });
  await expect(fetched({ archive: "a/agent.zip", sha256 })).rejects.toThrow("expected a .tar.gz");
  await expect(fetched({ sha256 }, {}, "../1")).rejects.toThrow("cannot be the name of a folder");
});

test("a package has no archive, and one for another machine is none", () => {
  const binary = { "plan9-mips": ARCHIVE };
  const [other] = parseRegistry(JSON.stringify({ id: "a", name: "a", version: "1", distribution: { binary } }), "f");
  expect(other && archiveOf(other)).toBeNull();
  expect(platformOf("linux", "x64")).toBe("linux-x86_64");
});
