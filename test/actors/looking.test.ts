import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLooking } from "../../actors/looking.ts";
import { createTroupe } from "../../actors/troupe.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-looking-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test.each([{}, { TROUPE_TRUST: "1" }])("sees with %j what a Troupe sees, and makes no store (I1)", async (trust) => {
  const folder = join(root, "work", ".troupe", "workflows");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "good.yaml"),
    "name: good\nstates:\n  initial: done\n  done: {type: terminal, message: '{{.inputs.x}}'}\n",
  );
  writeFileSync(join(folder, "bad.yaml"), "name: bad\nstates: {initial: nowhere}\n");
  const environment = { HOME: root, TROUPE_HOME: join(root, "state"), ...trust };
  const looking = openLooking({ environment });
  const troupe = createTroupe({ environment });
  const cwd = join(root, "work");
  const seen = async (one: typeof looking) => [
    await one.list(cwd),
    await one.warnings(cwd),
    await one.validate(cwd, "good"),
    await one.validate(cwd, "bad"),
  ];
  const found = await seen(looking);
  expect(found).toEqual(await seen(troupe));
  expect(found[0]).toMatchObject([{ id: "bad" }, { id: "good" }]);
  expect(found[2]).toMatchObject({ findings: [{ line: 4 }] });
  await troupe.close();
  expect(existsSync(join(root, "state"))).toBe(false);
});
