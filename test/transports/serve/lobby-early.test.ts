/** Covers `lobby.ts`: who was answered before what it asked was there whole. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Lobby } from "../../../transports/serve/lobby.ts";

test("it waits in the lobby again, and makes room for who comes (I1)", async () => {
  const lobby = new Lobby({ max: 1, bodyMs: 60_000, bodiesBytes: 1_000_000, stallMs: 60_000, onFull: () => undefined });
  const bodyRead = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    lobby.asked(request, response);
    request.once("end", bodyRead.resolve);
    response.writeHead(404).end("nothing here");
  }).on("connection", (socket) => lobby.enter(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const one of sockets) one.destroy();
    server.close();
  });
  const enter = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  };
  const first = await enter();
  first.write("POST / HTTP/1.1\r\nHost: x\r\ncontent-length: 4\r\n\r\n");
  await once(first, "data");
  const gone = once(first, "close");
  first.write("late");
  await bodyRead.promise;
  const second = await enter();
  second.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(String((await once(second, "data"))[0])).toMatch(/^HTTP\/1.1 404 /);
  await gone;
});
