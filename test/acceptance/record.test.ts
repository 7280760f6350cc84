/** `troupe record`: which agent of several is meant, by the names that `troupe status` shows. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

const LOOP = `name: loop
states:
  initial: each
  each: {type: for_each, items: [a, b], body: [look, call], on_complete: d}
  look: {type: agent, provider: understudy, prompt: "Look at {{.loop.Item}}"}
  call: {type: call_workflow, workflow: called, inputs: {it: "{{.loop.Item}}"}, retry: {max_attempts: 2}}
  d: {type: terminal}
`;
const CALLED = `name: called
inputs: [{name: it, required: true}]
states:
  initial: say
  say: {type: agent, provider: understudy, prompt: "Said of {{.inputs.it}}", on_success: test}
  test: {type: command, command: "test -f tried || { touch tried; false; }", on_success: d}
  d: {type: terminal}
`;
let house: House;
beforeAll(async () => {
  house = openHouse([]);
  for (const [name, text] of Object.entries({ loop: LOOP, called: CALLED }))
    writeFileSync(join(house.cwd, ".troupe", "workflows", `${name}.yaml`), text);
  expect(await house.troupe(["run", "loop", "--trust"]).ended).toEqual({ code: 0, signal: null });
});
afterAll(() => house.leave());

const recorded = async (...args: string[]): Promise<[number | null, string]> => {
  const done = house.troupe(["record", "@last", ...args]);
  const { code } = await done.ended;
  return [code, code === 0 ? done.lines.join("\n") : (done.stderr.split("\n")[0] ?? "")];
};
const script = (said: string) => [0, `turns:\n  - play:\n      - say: ${said}`];

test.each([
  ["each[a]/look", "Look at a"],
  ["look[b]", "Look at b"],
  ["each/1.look", "Look at b"],
  ["each[b]/call", "Said of b"],
  ["each/0.call@2/say", "Said of a"],
])("%s", async (step, said) => {
  expect(await recorded("--step", step)).toEqual(script(said));
});

test("what is not sure is asked for, and a call that was tried again is told apart by its path", async () => {
  const all = "each[a]/look, each/0.call/say, each/0.call@2/say, each[b]/look, each[b]/call/say";
  const [code, said] = await recorded();
  expect([code, said.replace(/"[^"]*"/, "it")]).toEqual([
    1,
    `troupe: run it has several agents: choose one by --step ${all}`,
  ]);
  expect(await recorded("--step", "zz")).toEqual([1, `troupe: --step: expected one of ${all}, found "zz"`]);
});
