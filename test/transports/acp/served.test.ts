/** Covers `served.ts`, I3: an agent that cannot be loaded, as where its files are gone. */
import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { serveAcp } from "../../../transports/acp/stdio.ts";

vi.mock("../../../transports/acp/agent.ts", () => ({
  connectAgent: () => {
    throw new Error("its files are gone");
  },
}));

test("ends its client with the reason", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveAcp({ input, output, version: "0", open: () => Promise.reject(new Error("not asked for")) });
  input.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n');
  input.write('{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}\n');
  await expect(served).rejects.toThrow("its files are gone");
  expect(input.destroyed).toBe(true);
  expect(String(output.read())).toContain('"id":1');
});
