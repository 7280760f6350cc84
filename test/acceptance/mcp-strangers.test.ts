/** To a host over MCP, a run of somebody else in its directory is a run that is not there. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTroupe } from "../../actors/troupe.ts";
import { type House, openHouse } from "../support/house.ts";
import { McpHost, trust } from "../support/mcp-host.ts";

let house: House;
beforeEach(async () => {
  house = openHouse(["acceptance/hello.yaml"]);
  await trust(house, "hello");
});
afterEach(() => house.leave());

test("its resources and tools answer as for one that does not exist", async () => {
  const server = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" } });
  const { id } = await server.as("ann").run({ workflow: "hello", inputs: {}, consent: "yes", cwd: house.cwd });
  await expect.poll(async () => (await server.as("ann").status(id)).status).toBe("completed");
  await server.close();
  const host = await McpHost.start(house);
  try {
    const fault = async (uri: string) => await host.read(uri).catch(({ code, message }) => ({ code, message }));
    for (const part of ["", "/log"]) {
      const uri = `troupe://runs/${id}${part}`;
      expect(await fault(uri)).toEqual({
        code: -32602,
        message: expect.stringContaining(`there is no resource ${uri}`),
      });
    }
    const words = async (run: string) =>
      JSON.stringify((await host.call("troupe_run_status", { run })).content).replaceAll(run, "RUN");
    expect(await words(id)).toBe(await words("none"));
  } finally {
    await host.leave();
  }
});
