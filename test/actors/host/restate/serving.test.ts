/** The port on which the engine calls a worker, over HTTP/2, with what stands for the engine: its admin interface and its calls. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type ClientHttp2Session, connect } from "node:http2";
import type { AddressInfo } from "node:net";
import * as restate from "@restatedev/restate-sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Listening, Serving } from "../../../../actors/base/engine-port.ts";
import { LiveOut } from "../../../../actors/host/restate/live-out.ts";
import { engineSdk, serve } from "../../../../actors/host/restate/serving.ts";
import type { Sdk, ServingHost } from "../../../../actors/host/restate/serving-host.ts";

type Carry = (ctx: object, start: object) => Promise<void>;
const NAMES = { session: "session", work: "work", index: "index", piece: "piece", talk: "talk" };

let admin: Server;
let registered: string[];
let takes: number;
let lines: string[];
let serving: Serving | undefined;
let connections: ClientHttp2Session[];
/** What is to go on with work that is under way, by its id. */
let ends: Map<string, () => void>;
let began: () => void;

beforeEach(async () => {
  [registered, lines, connections, ends, serving] = [[], [], [], new Map(), undefined];
  takes = 200;
  admin = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (request.method === "POST") {
      registered.push((JSON.parse(text) as { uri: string }).uri);
      response.writeHead(takes).end("no");
    } else response.end(JSON.stringify({ deployments: [] }));
  });
  await new Promise<void>((resolve) => admin.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  for (const connection of connections) connection.destroy();
  await serving?.close();
  await new Promise((resolve) => admin.close(resolve));
});

/** A call of the work service runs its handler, as the engine's library does; its path is the work's id. */
const sdk: Sdk = {
  ...restate,
  service: ((definition: object) => definition) as never,
  object: ((definition: object) => definition) as never,
  createEndpointHandler: ({ services, logger }) => {
    const work = (services as { name: string; handlers?: { carry: Carry } }[]).find(({ name }) => name === "work");
    logger?.({ level: "warn" } as never, "of nobody");
    logger?.({ level: "info", context: { invocationTarget: "work/carry" } } as never, "of no matter");
    logger?.({ level: "error", context: { invocationTarget: "work/carry" } } as never, "key=hidden", new Error("no"));
    const ctx = {
      run: (_name: string, does: () => unknown) => does(),
      request: () => ({ attemptCompletedSignal: new AbortController().signal }),
      objectSendClient: () => ({ deliver: () => undefined }),
    };
    return (async (request: { url: string }, response: { writeHead(status: number): { end(): void } }) => {
      const id = request.url.slice(1);
      const done = work?.handlers?.carry(ctx, { id, key: "session/s", nonce: "n", session: "session/s" });
      const failed = await done?.then(
        () => null,
        (error: { code?: string }) => error.code ?? "",
      );
      response.writeHead(failed === null ? 200 : 500).end();
    }) as never;
  },
};

const host = (more: Partial<ServingHost> = {}): ServingHost => ({
  self: "this",
  services: NAMES as ServingHost["services"],
  cell: () => {
    throw new Error("no session is here");
  },
  unknown: (what) => ((what as { id?: string }).id === "newer" ? "session.v10, and session.v9 is here" : null),
  now: () => 0,
  delay: (ms) => ({ milliseconds: ms }),
  learnTime: async () => undefined,
  begins: async ({ id }) => {
    if (id === "homeless") throw Object.assign(new Error("no folder"), { code: "SYSTEM.ENGINE.NO_WORKER" });
    return "this";
  },
  carry: ({ id }) =>
    new Promise((resolve) => {
      if (id === "at-once") return resolve(null);
      ends.set(id, () => resolve(null));
      began();
    }),
  carried: () => undefined,
  cutOff: () => ({ rows: [], event: "{}" }),
  live: new LiveOut("this", () => []),
  end: async () => undefined,
  shown: (text) => text.replace("hidden", "***"),
  ...more,
});

const adminAt = (): string => `http://127.0.0.1:${(admin.address() as AddressInfo).port}`;
const listening = (more: Partial<Listening> = {}): Listening => ({
  ...{ host: "127.0.0.1", port: 0, isShared: false, admin: adminAt(), log: (line) => lines.push(line) },
  ...more,
});
const connection = (): ClientHttp2Session => {
  const made = connect(serving?.uri ?? "");
  made.on("error", () => undefined);
  connections.push(made);
  return made;
};
const call = (on: ClientHttp2Session, id: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const stream = on.request({ ":path": `/${id}` });
    stream.on("response", (headers) => resolve(Number(headers[":status"])));
    stream.on("error", reject);
    stream.resume();
  });

test("it listens, tells the engine where, and says what went wrong in calls, without secrets", async () => {
  serving = await serve(sdk, host(), listening());
  expect(serving).toEqual({
    port: expect.any(Number),
    uri: `http://127.0.0.1:${serving.port}`,
    close: expect.anything(),
  });
  expect(registered).toEqual([serving.uri]);
  expect(lines).toEqual(["error work/carry key=*** Error: no"]);
  const other = await serve(sdk, host(), listening({ uri: "http://worker.test:9080" }));
  expect([other.uri, registered.at(-1)]).toEqual(["http://worker.test:9080", "http://worker.test:9080"]);
  await other.close();
});

test.each(["newer", "homeless"])(
  "work that is %s ends the connection it came on, not what is under way there (I4)",
  async (id) => {
    serving = await serve(sdk, host(), listening());
    const engine = connection();
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const [goneAway, closed] = [once(engine, "goaway"), once(engine, "close")];
    const under = call(engine, "under-way");
    await begun;
    expect(engine.closed).toBe(false);
    expect(await call(engine, id)).toBe(500);
    await goneAway;
    expect(engine.destroyed).toBe(false);
    await expect(call(engine, "at-once")).rejects.toThrow();
    ends.get("under-way")?.();
    expect(await under).toBe(200);
    await closed;
    expect(await call(connection(), "at-once")).toBe(200);
  },
);

test("a worker that knows what it is called for keeps the connection", async () => {
  serving = await serve(sdk, host(), listening());
  const engine = connection();
  expect([await call(engine, "at-once"), await call(engine, "at-once")]).toEqual([200, 200]);
  expect(engine.closed).toBe(false);
});

test("closing ends connections, too", async () => {
  serving = await serve(sdk, host(), listening());
  const engine = connection();
  expect(await call(engine, "at-once")).toBe(200);
  await Promise.all([once(engine, "close"), serving.close()]);
  const { port } = serving;
  serving = await serve(sdk, host(), listening({ port }));
  expect(serving.port).toBe(port);
  await expect(serve(sdk, host(), listening({ port }))).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("where the engine does not take it, the port is free again", async () => {
  serving = await serve(sdk, host(), listening());
  const { port } = serving;
  await serving.close();
  takes = 500;
  await expect(serve(sdk, host(), listening({ port }))).rejects.toMatchObject({ code: "SYSTEM.ENGINE.UNREACHABLE" });
  takes = 200;
  serving = await serve(sdk, host(), listening({ port }));
  expect(serving.port).toBe(port);
});

test("a key that is none is a fault of the command line; other faults stay what they are", async () => {
  const wrong = serve(restate, host(), listening({ identityKeys: ["mine"] }));
  await expect(wrong).rejects.toMatchObject({
    code: "USER.CLI.USAGE",
    message: expect.stringContaining('an identity key is "publickeyv1_…", as the engine says when it starts: '),
  });
  const fails = (() => {
    throw new Error("out of order");
  }) as never;
  await expect(serve({ ...sdk, createEndpointHandler: fails }, host(), listening())).rejects.toThrow("out of order");
});

test("the engine's library is found beside this program, and one that is nowhere is not installed (I2)", () => {
  expect(engineSdk(["/nowhere"]).service).toBeTypeOf("function");
});
