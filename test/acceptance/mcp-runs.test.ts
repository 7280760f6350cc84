/**
 * Runs as a host of `troupe mcp` reaches them again: by their workflow, and by what they ask.
 *
 * R1. A run is of the workflow that was called, whatever its file calls itself: lists, faces and secrets agree.
 * R2. A form that breaks its rules is asked again with the reason.
 * R3. What is no value of an input begins nothing.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { ERAS, McpHost, trust } from "../support/mcp-host.ts";

const SECRET = "correct-horse-battery";
const OTHERWISE = `name: failing
inputs: [{ name: api_token, type: string, required: true }]
states:
  initial: sure
  sure: { type: ask, questions: [{ name: go, prompt: Sure? }], on_success: use }
  use: { type: step, command: 'test "{{.inputs.api_token}}" = ${SECRET}', on_success: done }
  done: { type: terminal, message: Used. }
`;
const WEEKS = `name: weeks
states:
  initial: plan
  plan:
    type: ask
    questions: [{ name: weeks, prompt: How many?, type: integer, validation: { min: 1, max: 10 } }]
    on_success: done
  done: { type: terminal, message: Planned. }
`;
const WORDS = `name: words
inputs: [{ name: words, type: string, required: true }]
states:
  initial: done
  done: { type: terminal, message: Said. }
`;
const write = (name: string, text: string): void => writeFileSync(join(house.cwd, ".troupe", "workflows", name), text);
let house: House;
let hosts: McpHost[];
beforeEach(() => {
  hosts = [];
  house = openHouse(["acceptance/hello.yaml", "acceptance/gate.yaml", "mcp/typed.yaml"]);
});
afterEach(async () => {
  for (const host of hosts) await host.leave();
  await house.leave();
});
async function start(options: Parameters<typeof McpHost.start>[1] = {}): Promise<McpHost> {
  const host = await McpHost.start(house, options);
  hosts.push(host);
  return host;
}

describe.each(ERAS)("a host that speaks %s", (era) => {
  beforeEach(() => trust(house, "hello"));

  test("a workflow whose file has another name is run, listed and answered by that of the file (R1)", async () => {
    write("bad.yaml", OTHERWISE);
    const env = { TROUPE_INPUT_API_TOKEN: SECRET };
    const first = await start({ era, env });
    const { run } = await first.told("bad");
    expect(await first.told("troupe_run_list", { workflow: "bad" })).toMatchObject({
      runs: [{ run, workflow: "bad" }],
    });
    await first.kill();
    hosts = [];
    const second = await start({ era, env });
    expect(await second.told("troupe_run_answer", { run, text: "yes" })).toMatchObject({
      ...{ workflow: "bad", status: "completed", message: "Used." },
    });
    const history = house.troupe(["history", "--workflow", "bad"]);
    await history.ended;
    expect(history.lines.join("\n")).toMatch(/\bbad\b/);
  });

  test("a form that breaks its rules is asked again, with what is wrong (R2)", async () => {
    write("weeks.yaml", WEEKS);
    const answers = [99, 3];
    const host = await start({ era, person: () => ({ action: "accept", content: { weeks: answers.shift() ?? 3 } }) });
    expect(await host.told("weeks")).toMatchObject({ status: "completed" });
    expect(host.forms.map(({ message }) => message)).toEqual([
      expect.stringContaining("weeks, step plan"),
      expect.stringContaining("How many? Expected at most 10"),
    ]);
  });

  test("who breaks them again and again is told in the result (R2)", async () => {
    write("weeks.yaml", WEEKS);
    const host = await start({ era: "legacy", person: () => ({ action: "accept", content: { weeks: 99 } }) });
    const told = await host.told("weeks");
    expect([told.status, JSON.stringify(told["questions"])]).toEqual(["parked", expect.stringContaining("at most 10")]);
    expect(host.forms.length).toBeLessThan(10);
  });

  test("a list or an object is no value of an input, whichever tool is called (R3)", async () => {
    const host = await start({ era, env: { TROUPE_INPUT_API_TOKEN: SECRET } });
    write("words.yaml", WORDS);
    for (const words of [["a"], { a: 1 }])
      for (const [tool, given] of [
        ["words", { words }],
        ["troupe_run_start", { workflow: "words", inputs: { words } }],
      ] as const)
        expect(await host.call(tool, given)).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining("USER.INPUT.VALIDATION_FAILED") }],
        });
    expect(await host.told("troupe_run_list", { workflow: "words" })).toEqual({ runs: [] });
  });
});
