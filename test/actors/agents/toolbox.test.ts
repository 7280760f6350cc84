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
  withTools(PLACE, signal, async ([ping]) => (await ping?.call({ note }, signal, "c"))?.text ?? "");

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
