/** The bridge and an editor that is slow, or goes. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough, Writable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { bridge } from "../../../transports/client/bridge.ts";
import { until } from "../../actors/process/support.ts";

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});
const source = (stdin: PassThrough) => (take: (bytes: Buffer) => void) => stdin.on("data", take);

/** An editor that reads only when it is told to. */
class SlowEditor extends Writable {
  text = "";
  #goOn: (() => void) | null = null;
  constructor() {
    super({ highWaterMark: 1 });
  }
  override _write(bytes: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += String(bytes);
    this.#goOn = done;
  }
  read(): void {
    this.#goOn?.();
  }
}

test("frames that come in one piece are waited for once, and all arrive", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  cleanUps.push(() => server.close());
  await once(server, "listening");
  const frames = Array.from({ length: 40 }, (_, i) => `{"n":${i}}`);
  server.on("connection", (ws, { socket }) => {
    socket.cork();
    for (const frame of frames) ws.send(frame);
    socket.uncork();
  });
  const { port } = server.address() as AddressInfo;
  const [editor, stdin] = [new SlowEditor(), new PassThrough()];
  const bridged = bridge({ url: `ws://127.0.0.1:${port}`, input: source(stdin), output: editor });
  let most = 0;
  await until(() => {
    most = Math.max(most, editor.listenerCount("drain"));
    editor.read();
    return editor.text.split("\n").length === frames.length + 1;
  });
  expect(most).toBe(1);
  expect(editor.text).toBe(`${frames.join("\n")}\n`);
  stdin.end();
  editor.read();
  await bridged;
  expect([editor.listenerCount("drain"), stdin.destroyed]).toEqual([0, true]);
});

test("over HTTP, an editor that goes while it is full ends the bridge", async () => {
  const editor = new SlowEditor();
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method: "_x/told", params: {} })}\n\n`);
    } else {
      const headers = { "content-type": "application/json", "acp-connection-id": "c" };
      response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { protocolVersion: 1 } }));
    }
  }).listen(0, "127.0.0.1");
  cleanUps.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const stdin = new PassThrough();
  const { port } = server.address() as AddressInfo;
  const bridged = bridge({ url: `http://127.0.0.1:${port}/acp`, input: source(stdin), output: editor });
  stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n');
  await until(() => editor.text !== "");
  editor.destroy();
  await bridged;
  expect(stdin.destroyed).toBe(true);
}, 15_000);
