/**
 * What is submitted to the registry of ACP agents: its rules for an entry and an icon, and what its check starts.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse } from "../support/house.ts";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
type Entry = { [name: string]: unknown; distribution: { npx: { package: string; args: string[] } } };
const entry = JSON.parse(read("docs/registry/troupe/agent.json")) as Entry;
const pack = JSON.parse(read("package.json")) as {
  name: string;
  version: string;
  license: string;
  description: string;
};
const icon = read("docs/registry/troupe/icon.svg");

let house: House;
beforeEach(() => {
  house = openHouse([]);
});
afterEach(() => house.leave());

test("the entry names this package, in this version", () => {
  const { name, version, license, description } = pack;
  expect(entry).toEqual({
    id: "troupe", // the folder's name
    name: "Troupe",
    version,
    description,
    license,
    distribution: { npx: { package: `${name}@${version}`, args: ["acp", "--agent-auth"] } },
  });
  expect(entry["id"]).toMatch(/^[a-z][a-z0-9-]*$/);
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test("the icon is 16 by 16, of the current colour alone, without comments", () => {
  expect(icon).toMatch(/^<svg [^>]*\bwidth="16" height="16" viewBox="0 0 16 16"/);
  const paints = [...icon.matchAll(/\b(?:fill|stroke)="([^"]*)"/g)].map(([, paint]) => paint);
  expect(new Set(paints)).toEqual(new Set(["none", "currentColor"]));
  expect(icon).not.toMatch(/<!--|<style|style=/);
});

test("what it starts answers `initialize` with a way to authenticate, which is passed; nothing else is written", async () => {
  const editor = new Editor(house.troupe(entry.distribution.npx.args, { TERM: "dumb" }));
  const { result } = await editor.request("initialize", {
    protocolVersion: 1,
    clientInfo: { name: "registry", version: "1.0.0" },
    clientCapabilities: {
      terminal: true,
      fs: { readTextFile: true, writeTextFile: true },
      _meta: { terminal_output: true, "terminal-auth": true },
    },
  });
  const { authMethods } = result as { authMethods: { id: string; type?: string }[] };
  // Without a type it is the agent's own.
  expect(authMethods.map(({ id, type }) => [id, type ?? "agent"])).toEqual([["agents", "agent"]]);
  expect(await editor.request("authenticate", { methodId: "agents" })).toMatchObject({ result: {} });
  expect(await editor.open(house.cwd)).not.toBe("");
  expect(await editor.leave()).toEqual({ code: 0, signal: null });
  expect(editor.agent.stderr).toBe("");
  expect(faultsOf(editor.trace)).toEqual([]);
});

test("without the flag no way is offered", async () => {
  const plain = new Editor(house.troupe(["acp"]));
  expect(await plain.initialize()).toMatchObject({ result: { authMethods: [] } });
});
