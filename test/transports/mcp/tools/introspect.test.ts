/** What a host sees of a step that said more than is kept. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../../../support/house.ts";
import { McpHost, trust } from "../../../support/mcp-host.ts";

const LOUD = `name: loud
states:
  initial: a
  a: {type: step, command: "yes abcdefghi | head -c 1200000", on_success: done}
  done: {type: terminal}
`;
let house: House;
beforeEach(async () => {
  house = openHouse(["acceptance/hello.yaml"]);
  writeFileSync(join(house.cwd, ".troupe/workflows/loud.yaml"), LOUD);
  await trust(house, "hello");
});
afterEach(() => house.leave());

test("it says how much is not in the pages, and where it is", async () => {
  const host = await McpHost.start(house, { args: ["--tools", "workflows,introspect"] });
  const { run } = await host.told("loud");
  const omitted = 1_200_000 - 1024 * 1024;
  const { content, structuredContent } = await host.call("troupe_step_output", { run, step: "a" });
  expect(structuredContent).toMatchObject({ characters: 1024 * 1024, omitted });
  expect(content[1]).toMatchObject({
    text: `The first ${omitted} characters of the step are not in these pages: troupe_run_log has them.`,
  });
  expect(JSON.parse(await host.read(`troupe://runs/${run}`))).toMatchObject({ said: { step: "a", omitted } });
  await host.leave();
});
