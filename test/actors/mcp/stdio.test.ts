import { expect, it } from "vitest";
import { withServer } from "../../../actors/mcp/connect.ts";
import { HANG_UP_MS, StdioTransport } from "../../../actors/mcp/stdio.ts";
import { ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor } from "../../../actors/process/marker.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { until } from "../process/support.ts";

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

it("answers a request with an error where its answer is too long to be read (I3)", async () => {
  const answers = `read asked; head -c 11000000 /dev/zero | tr '\\0' x; echo; echo '{"id":2,"result":{}}'; read more`;
  const server = new StdioTransport({
    argv: ["/bin/sh", "-c", answers],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "" },
    marker: markerFor(ownIdentity(), `mcp/stdio/${process.pid}/long`),
  });
  const heard: unknown[] = [];
  const second = Promise.withResolvers<void>();
  server.onmessage = (message) => {
    heard.push(message);
    if (heard.length === 2) second.resolve();
  };
  await server.start();
  await server.send({ jsonrpc: "2.0", id: 1, method: "tools/call" });
  await second.promise;
  await server.close();
  const error = { code: -32_603, message: "the answer has more than 10 MiB, which is not read" };
  expect(heard).toEqual([
    { jsonrpc: "2.0", id: 1, error },
    { id: 2, result: {} },
  ]);
});

it.each([
  ['{"jsonrpc":"2.0","id":1,"result":{"content":[}', "the server's answer is no JSON"],
  [
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}',
    "the server's error names no request: what?",
  ],
  ['{"jsonrpc":"2.0","id":1,"result":"fine"}', "the server's answer is neither a result nor an error of the protocol"],
  ['{"jsonrpc":"2.0","id":1,"error":"bad"}', "the server's answer is neither a result nor an error of the protocol"],
])("answers a request with an error where its answer is %s (I3)", async (answer, message) => {
  const server = new StdioTransport({
    argv: ["/bin/sh", "-c", `read asked; echo 'got {"jsonrpc":1'; echo "$ANSWER"; read more`],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "", ANSWER: answer },
    marker: markerFor(ownIdentity(), `mcp/stdio/${process.pid}/odd`),
  });
  const heard = Promise.withResolvers<unknown>();
  server.onmessage = heard.resolve;
  await server.start();
  await server.send({ jsonrpc: "2.0", id: 1, method: "tools/call" });
  expect(await heard.promise).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32_603, message } });
  await server.close();
});

it("is ended where it closes its output and lives on (I4)", async () => {
  const clock = new ManualClock();
  const server = new StdioTransport({
    argv: ["/bin/sh", "-c", "exec >&-; read more"],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "" },
    marker: markerFor(ownIdentity(), `mcp/stdio/${process.pid}/closed`),
    clock,
  });
  const closed = Promise.withResolvers<void>();
  server.onclose = closed.resolve;
  await server.start();
  await until(() => clock.timers > 0);
  expect([server.end, server.hungUp]).toEqual([null, false]);
  clock.advance(HANG_UP_MS);
  await closed.promise;
  expect(server.hungUp).toBe(true);
});

it("says so to who waits for an answer of it", async () => {
  const hello = `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`;
  const server = {
    ...({ name: "shut", transport: "stdio", command: "/bin/sh", env: {} } as const),
    args: ["-c", `read asked; echo '${hello}'; read told; read asked; exec >&-; read more`],
  };
  const place = {
    cwd: "/",
    environment: { PATH: process.env["PATH"] ?? "" },
    marker: markerFor(ownIdentity(), `mcp/stdio/${process.pid}/asked`),
    signal: new AbortController().signal,
  };
  const call = withServer(server, place, (client, why) =>
    client.callTool({ name: "t", arguments: {} }).then(() => "", why),
  );
  expect(await call).toBe("it closed its standard output and was ended");
});
