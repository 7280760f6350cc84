/** The example of the library `troupe` in docs/client.md, run as it stands there. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { Started } from "../support/started.ts";

const DIST = new URL("../../dist/", import.meta.url);
const page = readFileSync(new URL("../../docs/client.md", import.meta.url), "utf8");
const example = /<!-- library -->\n```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
let house: House;
afterEach(() => house.leave());

test.each([
  ["hello", ["turn.completed", "completed Hello was said."], ""],
  ["nope", [], "USER.FACADE.WORKFLOW_NOT_FOUND: "],
])("it says how %s ends", async (workflow, last, fault) => {
  house = openHouse(["acceptance/hello.yaml"]);
  const file = join(house.cwd, "example.mjs");
  const program = example.replace('"troupe"', JSON.stringify(new URL("index.js", DIST).href));
  writeFileSync(file, program.replace('"hello"', JSON.stringify(workflow)));
  const ran = new Started([process.execPath, file], { cwd: house.cwd, env: house.env });
  expect(await ran.ended).toEqual({ code: 0, signal: null });
  expect(ran.stderr.slice(0, fault.length)).toBe(fault);
  expect(ran.lines.slice(-2)).toEqual(last);
});
