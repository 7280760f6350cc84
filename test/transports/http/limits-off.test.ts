/**
 * What the API relies on, switched off: what each defence stops then passes, so that it is the defence that stops it.
 * Routes are the server's own, on a server of this process; clients are on real sockets.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { NEVER } from "rxjs";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { createTroupe, type LogOptions, type Session, type Troupe } from "../../../actors/troupe.ts";
import { apiRoute } from "../../../transports/http/api.ts";
import { type AdmissionCheck, gateOf } from "../../../transports/serve/admission.ts";
import { DEFAULT_LIMITS } from "../../../transports/serve/limits.ts";
import { Quota } from "../../../transports/serve/quota.ts";
import { Router } from "../../../transports/serve/router.ts";
import { type Anything, Api } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";
import { SseReader } from "../../support/sse.ts";

const TOKEN = "t".repeat(32);
const ANYBODY: AdmissionCheck = () => ({ admitted: true, subject: null });
let house: House;
let troupe: Troupe;
beforeEach(() => {
  house = openHouse(["hello", "talk"].map((name) => `acceptance/${name}.yaml`));
  troupe = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" } });
});
afterEach(async () => {
  await troupe.close();
  await house.leave();
});

type Defences = {
  gate?: (port: () => number) => AdmissionCheck;
  open?: (subject: string | null) => Promise<Troupe>;
  limits?: Partial<typeof DEFAULT_LIMITS>;
  headerBytes?: number;
};
const guarded = (port: () => number): AdmissionCheck =>
  gateOf({
    naming: () => ({ port: port(), defaultPort: 80, allowed: [], ownAddresses: false }),
    origins: [],
    tokens: null,
  });
/** The API behind some of its defences; `seen`: the answers as the server holds them. */
async function served({ gate, open, limits, headerBytes }: Defences = {}) {
  const seen: ServerResponse[] = [];
  const route = apiRoute({
    open: open ?? (async (subject) => (subject === null ? troupe : troupe.as(`token:${subject}`))),
    cwd: house.cwd,
    version: "0",
    limits: { ...DEFAULT_LIMITS, ...limits },
    readers: new Quota({ max: limits?.readers ?? DEFAULT_LIMITS.readers, maxEach: Number.POSITIVE_INFINITY }),
    observed: null,
  });
  const handle = (one: IncomingMessage, response: ServerResponse): void => {
    seen.push(response);
    router.handle(one, response);
  };
  const server = createServer({ maxHeaderSize: headerBytes ?? DEFAULT_LIMITS.headerBytes }, handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const own = (gate ?? guarded)(() => port);
  const router = new Router(own, own, () => undefined);
  router.mount("/api", route);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { api: new Api({ port }), port, seen };
}
/** `fetch` chooses Host and Origin itself. */
const status = (port: number, headers: { [name: string]: string }): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path: "/api/workflows", headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on("error", reject).end();
  });

test.each([
  ["Origin", { origin: "https://evil.example" }],
  ["Host", { host: "evil.example" }],
])("%s: another page's, or another name, is let in without the gate", async (_, headers) => {
  expect(await status((await served()).port, headers)).toBe(403);
  expect(await status((await served({ gate: () => ANYBODY })).port, headers)).toBe(200);
});

test("token: without the check everyone is let in", async () => {
  const naming = (port: () => number) => () => ({
    ...{ port: port(), defaultPort: 80 as const, allowed: [], ownAddresses: false },
  });
  const asks = await served({
    gate: (port) =>
      gateOf({ naming: naming(port), origins: [], tokens: [{ subject: "ann", digest: Buffer.from(TOKEN) }] }),
  });
  expect(await status(asks.port, {})).toBe(401);
  expect(await status((await served()).port, {})).toBe(200);
});

test("ownership: where subjects are not told apart, one sees and ends the runs of another", async () => {
  const as =
    (subject: string | null): AdmissionCheck =>
    () => ({ admitted: true, subject });
  const ann = await served({ gate: () => as("ann") });
  const { run } = await ann.api.start("talk");
  const mallory = await served({ gate: () => as("mallory") });
  expect((await mallory.api.get(`/api/runs/${run}`)).status).toBe(404);
  const open = async (): Promise<Troupe> => troupe.as("token:ann");
  const off = await served({ gate: () => as("mallory"), open });
  expect((await off.api.get(`/api/runs/${run}`)).status).toBe(200);
  expect((await off.api.post(`/api/runs/${run}/cancel`)).status).toBe(202);
});

test("sizes: a long body and long headers are taken", async () => {
  const body = { workflow: "hello", inputs: { x: ["y".repeat(DEFAULT_LIMITS.bodyBytes)] } };
  const long = { x: "y".repeat(DEFAULT_LIMITS.headerBytes + 1_000) };
  const on = await served();
  expect([(await on.api.post("/api/runs", body)).status, await status(on.port, long)]).toEqual([413, 431]);
  const off = await served({ limits: { bodyBytes: Number.POSITIVE_INFINITY }, headerBytes: 64 * 1024 });
  expect([(await off.api.post("/api/runs", body)).status, await status(off.port, long)]).toEqual([400, 200]);
});

test("readers: more than the limit come in", async () => {
  const some = async (readers: number): Promise<number[]> => {
    const { api } = await served({ limits: { readers } });
    const { run } = await api.start("talk");
    const all = [await api.events(run), await api.events(run)];
    for (const one of all) one.drop();
    return all.map((one) => one.status);
  };
  expect([await some(1), await some(Number.POSITIVE_INFINITY)]).toEqual([
    [200, 429],
    [200, 200],
  ]);
});

test("a reader that does not read: without the pause the server holds all of it", async () => {
  const held = async (open: (subject: string | null) => Promise<Troupe>): Promise<number> => {
    const { api, seen } = await served({ open, limits: { stallMs: 600_000 } });
    const { run, session } = await api.start("talk");
    const slow = await api.events(run);
    await slow.hears("input.required");
    const response = seen.at(-1) as ServerResponse;
    slow.pause();
    const quick = await api.sessionEvents(session);
    const answers = (): number => quick.names.filter((name) => name === "input.required").length;
    for (let n = 1; n <= 3; n++) {
      await api.post(`/api/runs/${run}/answer`, { text: "stream:40000" });
      await expect.poll(answers).toBe(n + 1);
    }
    const bytes = response.writableLength;
    for (const one of [slow, quick]) one.drop();
    return bytes;
  };
  const on = await held(async () => troupe);
  const off = await held(async () => neverPaused(troupe));
  expect(on).toBeLessThan(2 * 1024 * 1024);
  expect(off).toBeGreaterThan(4 * 1024 * 1024);
}, 400_000);

/** The same Troupe, whose followers do not obey. */
function neverPaused(own: Troupe): Troupe {
  const deaf = (session: Session): Session =>
    new Proxy(session, {
      get: (target, name) => {
        if (name === "log$") return (options?: LogOptions) => target.log$({ ...options, paused$: NEVER });
        const value = Reflect.get(target, name, target) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  return new Proxy(own, {
    get: (target, name) => {
      if (name === "open") return async (id: string) => deaf(await target.open(id));
      if (name === "log")
        return async (run: string) => {
          const log = await target.log(run);
          return { ...log, log$: (options?: LogOptions) => log.log$({ ...options, paused$: NEVER }) };
        };
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test("lists: no more than a page is answered, however many are asked for", async () => {
  const { api } = await served();
  for (let n = 0; n < 3; n++) await api.whole((await api.start("hello")).run);
  const asked = async (query: string): Promise<unknown> => {
    const { status: code, body } = await api.get(`/api/runs${query}`);
    return code === 200 ? (body as Anything).runs.length : code;
  };
  expect([await asked("?limit=2"), await asked("?limit=1000"), await asked("?limit=1001")]).toEqual([2, 3, 400]);
  const reader = await SseReader.open(`${api.at}/api/runs/nothing/events`);
  expect(reader.status).toBe(404);
});
