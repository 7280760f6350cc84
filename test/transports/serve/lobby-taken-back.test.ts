/** Covers `lobby.ts` with clients of HTTP/2 that take back what they asked. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ClientHttp2Session, connect, constants, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Lobby } from "../../../transports/serve/lobby.ts";

const MAX_BYTES = 1_000;

/** A server of one place that answers nothing but a GET. `takenBack` is called once another request is over. */
async function served(takenBack: () => void): Promise<() => ClientHttp2Session> {
  const limits = { bodyMs: 60_000, bodiesBytes: MAX_BYTES, stallMs: 60_000 };
  const lobby = new Lobby({ max: 1, ...limits, onFull: () => undefined });
  const server = createServer((request, response) => {
    lobby.asked(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    if (request.method === "GET") return void response.writeHead(404).end();
    request.stream.once("close", () => setImmediate(takenBack)); // after what else hears of it
    response.writeContinue();
  }).on("connection", (socket) => lobby.enter(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return () => {
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => session.destroy());
    return session.on("error", () => undefined);
  };
}

/** Asks with this much of a body that is longer, and takes it back once it was heard. */
async function takeBack(session: ClientHttp2Session, method: string, bytes: number): Promise<void> {
  const request = session.request({ ":method": method, ":path": "/" }, { endStream: bytes === 0 });
  request.on("error", () => undefined);
  const heard = once(request, "continue");
  if (bytes > 0) request.write("x".repeat(bytes));
  await heard;
  request.close(constants.NGHTTP2_CANCEL);
}

test.each([
  ["POST", MAX_BYTES / 2],
  ["HEAD", 0],
])("who took a %s back waits in the lobby, and makes room for who comes (I1)", async (method, bytes) => {
  const takenBack = Promise.withResolvers<void>();
  const enter = await served(takenBack.resolve);
  const first = enter();
  await takeBack(first, method, bytes);
  await takenBack.promise;
  const gone = once(first, "close");
  const [{ ":status": status }] = (await once(enter().request({ ":path": "/" }), "response")) as [
    { ":status": number },
  ];
  expect(status).toBe(404);
  await gone;
});
