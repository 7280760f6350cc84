/** A step that has changed nothing leaves no tree: who would work there is told why, and may be led past. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, inRepository, openHouse } from "../support/house.ts";

const WORKFLOW = `name: two
inputs: [{name: past, type: boolean, default: false}]
states:
  initial: fix
  fix:
    type: command
    command: "true"
    isolation: worktree
    transitions: [{when: "inputs.past and len(states.fix.Worktree.changed) == 0", goto: done}]
    on_success: check
  check: {type: command, command: "true", isolation: {worktree: {of: fix}}, on_success: done}
  done: {type: terminal, message: done}
`;

let house: House;
beforeEach(() => {
  house = openHouse([]);
  writeFileSync(join(house.cwd, ".troupe", "workflows", "two.yaml"), WORKFLOW);
  inRepository(house);
});
afterEach(() => house.leave());

test("a step of its tree fails and says why", async () => {
  const run = house.troupe(["run", "two", "--trust"]);
  expect((await run.ended).code).toBe(3);
  expect(run.lines.join("\n")).toContain('the tree of "fix" is gone: nothing was changed in it');
});

test("a way past it is taken by what the result says", async () => {
  const run = house.troupe(["run", "two", "--trust", "-i", "past=true"]);
  expect((await run.ended).code).toBe(0);
});
