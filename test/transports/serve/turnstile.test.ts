/** Who asks for much at once keeps no other waiting: requests begin by turns, and so do messages of a socket. */
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect as connectHttp2, constants } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../../transports/serve/limits.ts";
import { protocols } from "../../../transports/serve/protocols.ts";
import { MOST_WAITING, Turnstile } from "../../../transports/serve/turnstile.ts";
import { takeUpgrades } from "../../../transports/serve/upgrade.ts";

const leaving: (() => void)[] = [];
afterEach(() => {
  for (const leave of leaving.splice(0)) leave();
});

type Connection = EventEmitter & { destroyed: boolean; destroy(): void };
function connection(): Connection {
  return Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy() {
      this.destroyed = true;
    },
  });
}
/** A turnstile, and what has begun at it. */
function turnstile() {
  const begun: string[] = [];
  const ended: number[] = [];
  const one = new Turnstile(() => ended.push(begun.length));
  const ask = (name: string, socket: Connection): EventEmitter => {
    const response = new EventEmitter();
    const request = { httpVersionMajor: 1, socket };
    one.ask(request as unknown as IncomingMessage, response as unknown as ServerResponse, () => begun.push(name));
    return response;
  };
  return { ask, begun, ended };
}

test("I1: eight begin in a turn, the others in the next ones", async () => {
  const { ask, begun } = turnstile();
  for (let n = 0; n < 20; n++) ask(String(n), connection());
  const counts = [begun.length];
  for (let n = 0; n < 2; n++) {
    await nextTurn();
    counts.push(begun.length);
  }
  expect(counts).toEqual([8, 16, 20]);
});

test("I2: of a connection one begins when the answer before it is over; too many end it", () => {
  const { ask, begun, ended } = turnstile();
  const [many, other] = [connection(), connection()];
  const first = ask("a0", many);
  for (let n = 1; n <= MOST_WAITING; n++) ask(`a${n}`, many);
  ask("b", other);
  expect(begun).toEqual(["a0", "b"]);
  first.emit("close");
  expect(begun).toEqual(["a0", "b", "a1"]);
  ask("a", many);
  expect([many.destroyed, ended]).toEqual([false, []]);
  ask("a", many);
  expect([many.destroyed, other.destroyed, ended]).toEqual([true, false, [3]]);
});

test("I3: what was asked by who has gone never begins", () => {
  const { ask, begun } = turnstile();
  const gone = connection();
  const first = ask("first", gone);
  ask("second", gone);
  gone.destroyed = true;
  first.emit("close");
  ask("third", gone);
  expect(begun).toEqual(["first"]);
});

/** A server that notes what it is asked, and answers. */
async function serving(): Promise<{ asked: string[]; port: number; ended: () => number }> {
  const asked: string[] = [];
  let ended = 0;
  const { server, cut } = protocols({
    tls: null,
    limits: DEFAULT_LIMITS,
    answer: (request, response) => {
      asked.push(request.url ?? "");
      response.end();
    },
    onFull: () => undefined,
    onTooMany: () => ended++,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  leaving.push(() => {
    cut();
    server.close();
  });
  return { asked, port: (server.address() as AddressInfo).port, ended: () => ended };
}
async function enter(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  leaving.push(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

test("a connection with a thousand requests at once is ended, one with ten is answered in order", async () => {
  const { asked, port, ended } = await serving();
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const few = await enter(port);
  few.write(Array.from({ length: 10 }, (_, n) => get(`/${n}`)).join(""));
  await expect.poll(() => asked.length).toBe(10);
  expect(asked).toEqual(Array.from({ length: 10 }, (_, n) => `/${n}`));
  const many = await enter(port);
  many.on("error", () => undefined).resume();
  many.write(get("/many").repeat(1_000));
  await once(many, "close");
  expect(ended()).toBeGreaterThan(0);
  expect(asked.filter((path) => path === "/many").length).toBeLessThan(10);
});

test("over HTTP/2 what was taken back at once is never begun", async () => {
  const { asked, port } = await serving();
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  leaving.push(() => session.destroy());
  session.on("error", () => undefined);
  await once(session, "remoteSettings");
  for (let n = 0; n < 100; n++)
    session
      .request({ ":path": "/taken-back" })
      .on("error", () => undefined)
      .close(constants.NGHTTP2_CANCEL);
  const last = session.request({ ":path": "/wanted" });
  last.resume();
  await once(last, "close");
  expect(asked.at(-1)).toBe("/wanted");
  expect(asked.length).toBeLessThan(20);
});

test("over HTTP/2 who takes back hundreds at once is ended", async () => {
  const { port } = await serving();
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  leaving.push(() => session.destroy());
  session.on("error", () => undefined);
  await once(session, "remoteSettings");
  const closed = new Promise((resolve) => session.once("close", resolve));
  for (let turn = 0; turn < 6 && !session.closed && !session.destroyed; turn++) {
    for (let n = 0; n < 100; n++)
      session
        .request({ ":path": "/taken-back" })
        .on("error", () => undefined)
        .close(constants.NGHTTP2_CANCEL);
    await nextTurn();
  }
  await closed;
});

test("a socket's messages are taken one in a turn of the event loop", async () => {
  const server = createServer();
  let [heard, inTurn, most] = [0, 0, 0];
  takeUpgrades(server, {
    paths: ["/"],
    gate: () => ({ admitted: true, subject: null }),
    limits: DEFAULT_LIMITS,
    refused: () => undefined,
    makeRoom: async () => undefined,
    isClosing: () => false,
    accept: (ws) =>
      ws.on("message", () => {
        heard++;
        most = Math.max(most, ++inTurn);
        setImmediate(() => {
          inTurn = 0;
        });
      }),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  leaving.push(() => server.close());
  const socket = await enter((server.address() as AddressInfo).port);
  const head = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Host: x"];
  const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`;
  socket.write(`GET / HTTP/1.1\r\n${[...head, key].join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  const frame = Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x7b]);
  socket.write(Buffer.concat(Array.from({ length: 500 }, () => frame)));
  await expect.poll(() => heard).toBe(500);
  expect(most).toBe(1);
});
