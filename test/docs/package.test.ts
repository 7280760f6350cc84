/** What is published: the package holds all that the program needs, and serves an editor from an empty folder. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { type House, openHouse } from "../support/house.ts";
import { Started } from "../support/started.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
});
afterEach(() => house.leave());

test("packed, and unpacked elsewhere, it runs a workflow without any other package", async () => {
  // The scripts build; what is built is what the other tests run.
  const argv = ["pack", "--ignore-scripts", "--json", "--pack-destination", house.root];
  const [packed] = JSON.parse(execFileSync("npm", argv, { cwd: PROJECT, encoding: "utf8" })) as [
    { filename: string; files: { path: string }[] },
  ];
  const tops = new Set(packed.files.map(({ path }) => path.split("/")[0]));
  expect([...tops].sort()).toEqual(["LICENSE", "README.md", "dist", "docs", "package.json"]);
  const place = join(house.root, "unpacked");
  mkdirSync(place);
  execFileSync("tar", ["-xzf", join(house.root, packed.filename), "-C", place]);
  const program = join(place, "package", "dist", "troupe.js");
  expect(existsSync(join(place, "package", "node_modules"))).toBe(false);

  const env = { ...house.env, TROUPE_TRUST: "1" };
  const editor = new Editor(new Started([process.execPath, program, "acp"], { cwd: house.cwd, env }));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  expect(await editor.prompt(session, "/hello")).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(await editor.leave()).toEqual({ code: 0, signal: null });
}, 120_000);
