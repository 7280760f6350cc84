/** What a host hears that calls what is no tool. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../../support/house.ts";
import { McpHost, trust } from "../../support/mcp-host.ts";

let house: House;
beforeEach(async () => {
  house = openHouse(["acceptance/hello.yaml"]);
  for (const name of ["torn", "kept"])
    writeFileSync(join(house.cwd, `.troupe/workflows/${name}.yaml`), `name: ${name}\nstates: {initial: nowhere}\n`);
  await trust(house, "hello");
});
afterEach(() => house.leave());

test("a workflow whose file is faulty says what is wrong with it; one that is kept from hosts is not told", async () => {
  const host = await McpHost.start(house, { args: ["--deny", "kept"] });
  const why = "the workflow torn cannot be run until its file is mended: .troupe/workflows/torn.yaml:2:1";
  await expect(host.call("torn")).rejects.toThrow(`there is no tool torn: ${why}`);
  for (const name of ["kept", "nobody"])
    await expect(host.call(name)).rejects.toThrow(`there is no tool ${name}: tools/list has those that there are`);
  const started = async (workflow: string): Promise<string> =>
    ((await host.call("troupe_run_start", { workflow })).content[0] as { text: string }).text;
  expect(await started("torn")).toContain(`no workflow "torn" is offered here: ${why}`);
  expect(await started("kept")).toContain('no workflow "kept" is offered here: there are hello [');
  await host.leave();
});
