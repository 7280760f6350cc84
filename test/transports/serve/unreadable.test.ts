/** What is no request, and what is no upgrade: each refusal names its code and what to do, and none falls into an answer. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { limited } from "./limited.ts";

/** All that the server says to these bytes. */
async function told(port: number, bytes: string): Promise<{ head: string; problem: Record<string, unknown> }> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (more) => {
    text += String(more);
  });
  socket.write(bytes);
  await once(socket, "close");
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { head, problem: JSON.parse(body) as Record<string, unknown> };
}
const UPGRADE = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: short"];

test.each([
  ["bytes of TLS", "\x16\x03\x01hello\r\n\r\n", 400, "INVALID_REQUEST", "http:// or ws://"],
  [
    "long headers",
    `GET /acp HTTP/1.1\r\nx: ${"x".repeat(9000)}\r\n\r\n`,
    431,
    "INVALID_REQUEST",
    "--limit headerBytes",
  ],
  ["half a head", "GET /acp HTTP/1.1\r\n", 408, "TOO_SLOW", "--limit handshakeMs"],
  ["nothing", "", 408, "TOO_SLOW", "--limit handshakeMs"],
])("%s", async (_, bytes, status, code, words) => {
  const server = await limited({ handshakeMs: 300 });
  const { head, problem } = await told(server.port, bytes);
  expect(head).toContain("Content-Type: application/problem+json");
  expect(problem).toMatchObject({ status, code: `USER.SERVE.${code}`, detail: expect.stringContaining(words) });
});

test("an upgrade by another method, and one without a key", async () => {
  const { port } = await limited({});
  const head = ["HTTP/1.1", `Host: 127.0.0.1:${port}`, ...UPGRADE].join("\r\n");
  const other = await told(port, `POST /acp ${head}\r\n\r\n`);
  expect(other.problem).toMatchObject({ status: 405, code: "USER.SERVE.METHOD" });
  expect(other.head).toContain("Allow: GET");
  const keyless = await told(port, `GET /acp ${head}\r\n\r\n`);
  expect(keyless.problem).toMatchObject({
    status: 400,
    code: "USER.SERVE.INVALID_REQUEST",
    detail: expect.stringContaining("Sec-WebSocket-Key"),
  });
});

test("nothing is written into an answer that has begun (I1)", async () => {
  const { port } = await limited({ heartbeatMs: 100 });
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (more) => {
    text += String(more);
  });
  socket.write(`GET /api/changes HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await expect.poll(() => text).toContain("still here");
  socket.write("no request\r\n\r\n");
  await once(socket, "close");
  expect(text).not.toContain("problem");
});
