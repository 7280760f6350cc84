/**
 * Workflows that a workflow of a trusted directory calls in other places.
 *
 * C1. A name from a template is only ever the name of a workflow: a path in it runs nothing.
 * C2. A path in the document runs if the directory that it leads to is trusted, links followed.
 */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

let house: House;
let evil: string;
beforeEach(() => {
  house = openHouse([]);
  evil = join(house.root, "evil");
  write(evil, "evil", `a: {type: command, command: "touch ${join(house.cwd, "hit")}", on_success: done}`);
});
afterEach(async () => {
  await house.leave();
});

function write(folder: string, name: string, state: string, head = ""): void {
  const at = join(folder, ".troupe", "workflows");
  mkdirSync(at, { recursive: true });
  const text = `name: ${name}\n${head}states:\n  initial: a\n  ${state}\n  done: {type: terminal, status: success}\n`;
  writeFileSync(join(at, `${name}.yaml`), text);
}
const ran = (): boolean => existsSync(join(house.cwd, "hit"));
async function run(args: string[]): Promise<string> {
  const program = house.troupe(["run", ...args, "--trust", "--format", "json"]);
  await program.ended;
  return program.lines.join("\n");
}

test("a path that an input gives runs nothing (C1)", async () => {
  const head = "inputs: [{name: which, type: string}]\n";
  write(house.cwd, "dyn", 'a: {type: call_workflow, workflow: "{{.inputs.which}}", on_success: done}', head);
  for (const which of [join(evil, ".troupe/workflows/evil.yaml"), "../evil.yaml"]) {
    expect(await run(["dyn", "-i", `which=${which}`])).toContain("USER.FACADE.IDENTIFIER_MALFORMED");
  }
  expect(ran()).toBe(false);
});

test.each(["straight", "through a link"])(
  "a path out of the directory needs trust of its own, %s (C2)",
  async (way) => {
    symlinkSync(evil, join(house.cwd, "link"));
    const path = join(way === "straight" ? evil : "./link", ".troupe/workflows/evil.yaml");
    write(
      house.cwd,
      "caller",
      `a: {type: call_workflow, workflow: "${path.startsWith("/") ? path : `./${path}`}", on_success: done}`,
    );
    expect(await run(["caller"])).toContain("USER.TRUST.REQUIRED");
    expect(ran()).toBe(false);
    const trusted = house.troupe(["run", "caller", "--format", "json"], { TROUPE_TRUST: "1" });
    expect(await trusted.ended).toEqual({ code: 0, signal: null });
    expect(ran()).toBe(true);
  },
);
