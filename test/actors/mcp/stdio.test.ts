import { expect, it } from "vitest";
import { StdioTransport } from "../../../actors/mcp/stdio.ts";
import { ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor } from "../../../actors/process/marker.ts";

it("hears the last message of a server that ends without a newline (I2)", async () => {
  const server = new StdioTransport({
    argv: ["/bin/sh", "-c", `printf '%s\\n%s' '{"id":1}' '{"id":2}'`],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "" },
    marker: markerFor(ownIdentity(), `mcp/stdio/${process.pid}`),
  });
  const heard: unknown[] = [];
  const closed = Promise.withResolvers<void>();
  server.onmessage = (message) => heard.push(message);
  server.onclose = closed.resolve;
  await server.start();
  await closed.promise;
  expect(heard).toEqual([{ id: 1 }, { id: 2 }]);
  expect(server.end).toEqual({ type: "exited", code: 0 });
});
