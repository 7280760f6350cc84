import { expect, test } from "vitest";
import { MOST_SHOWN, withTools } from "../../../actors/agents/toolbox.ts";
import { ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor } from "../../../actors/process/marker.ts";
import { MCP_ECHO } from "../../support/model-server/model-server.ts";

const { signal } = new AbortController();
const STUB = { name: "stub", transport: "stdio" as const, command: process.execPath, args: [MCP_ECHO], env: {} };
const PLACE = {
  mcpServers: [STUB],
  cwd: "/",
  env: { PATH: process.env["PATH"] ?? "" },
  marker: markerFor(ownIdentity(), `toolbox/${process.pid}`),
};
const pinged = (note: string): Promise<string> =>
  withTools(
    PLACE,
    { signal, warn: () => undefined },
    async ([ping]) => (await ping?.call({ note }, signal, "c"))?.text ?? "",
  );

test("a long result is shown by its beginning, up to a whole line, with what is missing (I3)", async () => {
  const line = `${"x".repeat(999)}\n`;
  const text = await pinged(line.repeat(200));
  const [, shown = "", missing] =
    /^([\s\S]*)\n\[(\d+) more characters are left out; ask for less at once\]$/.exec(text) ?? [];
  expect(shown.length).toBeLessThanOrEqual(MOST_SHOWN);
  expect(shown.endsWith("x".repeat(999))).toBe(true);
  expect(shown.length + Number(missing)).toBeGreaterThan(200_000);
});

test("a result that has room is shown as it is", async () => {
  expect(await pinged("hello")).toContain("hello");
});

test("a tool in no form of MCP is left out, which is said once; the others are offered", async () => {
  const bad = [{ name: "odd", inputSchema: { type: "string" } }, { inputSchema: { type: "object" } }];
  const warned: string[] = [];
  const server = {
    ...STUB,
    env: { MCP_MORE: JSON.stringify([...bad, { name: "fine", inputSchema: { type: "object" } }]) },
  };
  const names = await withTools(
    { ...PLACE, mcpServers: [server] },
    { signal, warn: (message) => void warned.push(message) },
    async (tools) => tools.map(({ name }) => name),
  );
  expect(names).toEqual(["stub__ping", "stub__fine"]);
  expect(warned).toEqual([
    'the MCP server "stub" tells tools in no form of MCP, which are left out: ' +
      'odd (inputSchema.type: Invalid input: expected "object"), ' +
      "one without a name (name: Invalid input: expected string, received undefined)",
  ]);
});
