/** Hosts that speak MCP with a house of workflows, anew for each test of the file that takes them from here. */
import { afterEach, beforeEach } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { McpHost } from "../support/mcp-host.ts";

const FILES = ["acceptance/hello.yaml", "acceptance/talk.yaml", "acceptance/gate.yaml", "acceptance/stubborn.yaml"];
export let house: House;
export let hosts: McpHost[];
beforeEach(() => {
  hosts = [];
  house = openHouse([...FILES, "mcp/typed.yaml", "mcp/hidden.yaml", "mcp/long.yaml"]);
});
afterEach(async () => {
  for (const host of hosts) await host.leave();
  await house.leave();
});
/** Another host, with a server of its own. */
export async function start(options: Parameters<typeof McpHost.start>[1] = {}): Promise<McpHost> {
  const host = await McpHost.start(house, options);
  hosts.push(host);
  return host;
}
