/**
 * One server: ACP on sockets at `/` and `/acp`, and a router for whatever else is mounted on it, behind one gate.
 *
 * I1. The port is opened last: a client that can connect is served.
 * I2. At its end nothing begins any more, and what runs may go on for `drainMs`; then it is ended and its clients hear
 *     of it; then their sockets are closed.
 */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Troupe } from "../../actors/troupe.ts";
import { BroadcastGroup } from "../acp/broadcast.ts";
import type { Environment } from "../acp/config.ts";
import { FirstUse } from "../acp/first-use.ts";
import type { Offer } from "../acp/offer.ts";
import { gateOf } from "./admission.ts";
import type { ServeConfig } from "./config.ts";
import { ServeFault } from "./fault.ts";
import type { Log } from "./log.ts";
import { type PageDoors, pageDoors } from "./page-door.ts";
import { protocols } from "./protocols.ts";
import { Refusals } from "./refusals.ts";
import { Router, refuse } from "./router.ts";
import { SignIns } from "./sign-ins.ts";
import { ServedSocket } from "./socket.ts";
import { MOST_WAITING } from "./turnstile.ts";
import { takeUpgrades } from "./upgrade.ts";

const PATHS = ["/", "/acp"];
const GOING_AWAY = 1001;
const REFUSED = 1008;

/** What the agent offers, and the environment that it looks into for that. */
type Offered = { offer?: Offer; environment?: Environment };
export type ListenOptions = Offered & {
  config: ServeConfig;
  version: string;
  /** Whose workflows are shown to every principal. */
  cwd: string;
  /** Makes the facade; called until it has made one. */
  open: () => Promise<Troupe>;
  log: Log;
  /** Mounts what else is to be served; of two at one path the first is taken. Answers what ends it. */
  mount?: (router: Router, served: Mounting) => () => Promise<void>;
};
export type Mounting = Offered & {
  open: (subject: string | null) => Promise<Troupe>;
  config: ServeConfig;
  /** How the page comes in, and who has. */
  doors: PageDoors;
  signIns: SignIns;
  port: () => number;
  isClosing: () => boolean;
  /** How many sockets of ACP are open. */
  sockets: () => number;
};
export type Serving = {
  url: string;
  port: number;
  /** The page's address, without a ticket. */
  page: string;
  /** The same, to be opened once within a minute: what lets in stands behind the `#`, which no browser sends. */
  ticketed(): string;
  /** The facade as the user of the server has it. */
  troupe(): Promise<Troupe>;
  /** Ends what runs, says goodbye to every client, and gives the port up. Idempotent. */
  close(): Promise<void>;
};

/** Resolves when the port is open. Throws USER.SERVE.PORT_IN_USE and USER.SERVE.LISTEN. */
export async function listen({ config, version, cwd, open, log, mount, ...offered }: ListenOptions): Promise<Serving> {
  const { host, limits, tls, defaultWorkflow } = config;
  const troupe = new FirstUse(open);
  let closing: Promise<void> | null = null;
  const sockets = new Set<ServedSocket>();
  const isClosing = (): boolean => closing !== null;
  const openAs = async (subject: string | null): Promise<Troupe> => {
    const own = await troupe.get();
    return subject === null ? own : own.as(`token:${subject}`, cwd);
  };

  const rooms = new Map<string | null, BroadcastGroup>();
  const roomOf = (subject: string | null): BroadcastGroup => {
    const room = rooms.get(subject) ?? new BroadcastGroup();
    rooms.set(subject, room);
    return room;
  };

  const refusals = new Refusals(log);
  const refused = (what: string): void => refusals.note(what);
  const { server, cut } = protocols({
    tls,
    limits,
    answer: (request, response) => {
      refresh();
      router.handle(request, response);
    },
    onFull: () => refused("ended a connection: too many were open, and it had asked for nothing"),
    onTooMany: () => refused(`ended a connection: more than ${MOST_WAITING} of its requests were waiting`),
  });
  let port = config.port;
  const naming = () => ({
    port,
    defaultPort: tls === null ? (80 as const) : (443 as const),
    allowed: config.hosts,
    ownAddresses: !config.isLoopback,
  });
  const { origins, tokens, tokenFile } = config;
  const refresh = (): void => {
    const news = tokenFile?.refresh() ?? null;
    if (news !== null && "fault" in news) return log(news.fault.message, "error", { code: news.fault.code });
    if (news !== null) log("the token file has changed", "info", news);
  };
  const gate = gateOf({ naming, origins, tokens });
  const signIns = new SignIns(() => performance.now());
  const doors = pageDoors({ naming, scheme: tls === null ? "http" : "https", signIns, tokens });
  const router = new Router(
    gate,
    gateOf({ naming, origins, tokens: null }),
    refused,
    doors.signedIn,
    log,
    (token, end) => tokenFile?.hold(token, end) ?? (() => undefined),
  );
  const unmount = mount?.(router, {
    open: openAs,
    config,
    doors,
    signIns,
    port: () => port,
    isClosing,
    sockets: () => sockets.size,
    ...offered,
  });
  for (const path of PATHS)
    router.mountAlone(path, (_, response) =>
      refuse(response, 426, { code: "USER.SERVE.UPGRADE_NEEDED", message: "ACP is spoken on a WebSocket here" }),
    );
  takeUpgrades(server, {
    paths: PATHS,
    gate: (request) => {
      refresh();
      return gate(request);
    },
    limits,
    refused,
    isClosing,
    makeRoom: async (subject, lacking) => {
      const silent = [...sockets].filter((one) => !one.isInitialized);
      const own = silent.find((one) => one.subject === subject);
      await (lacking === "own" ? own : (own ?? silent[0]))?.cut();
    },
    accept: (ws, socket, { subject, token }) => {
      const one = new ServedSocket({
        ws,
        socket,
        subject,
        limits,
        version,
        log,
        open: () => openAs(subject),
        ...(config.isLoopback ? { room: roomOf(subject) } : {}),
        ...(defaultWorkflow === null ? {} : { defaultWorkflow }),
        ...offered,
      });
      sockets.add(one);
      const end = (): void => one.close(REFUSED, "this token counts no more");
      if (token !== undefined) void one.gone.finally(tokenFile?.hold(token, end));
      log("a connection has come", "debug", { connections: sockets.size });
      void one.gone.finally(() => {
        sockets.delete(one);
        log("a connection has gone", "debug", { connections: sockets.size });
      });
    },
  });
  const heart = setInterval(() => {
    refresh();
    for (const one of sockets) one.beat();
  }, limits.pingMs);

  await opened(server, config).catch((error: unknown) => {
    clearInterval(heart);
    throw error;
  });
  const drained = async (): Promise<void> => {
    log(`nothing begins here any more; what runs may go on for ${limits.drainMs} ms`);
    const made = await troupe.made?.catch(() => undefined);
    await made?.rest(AbortSignal.timeout(limits.drainMs));
  };
  const end = async (): Promise<void> => {
    if (limits.drainMs > 0) await drained();
    clearInterval(heart);
    const closed = new Promise((resolve) => server.close(resolve));
    await troupe.made?.then((one) => one.close()).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve)); // the answers to what was ended are on their way
    const gone = [...sockets].map((one) => one.gone);
    for (const one of sockets) one.close(GOING_AWAY, "the server is shutting down");
    await Promise.all([...gone, unmount?.()]);
    cut();
    await closed;
  };
  // Known by it until the last one has gone: a server that closes has no address any more.
  ({ port } = server.address() as AddressInfo);
  const at = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const page = `${tls === null ? "http" : "https"}://${at}/`;
  return {
    url: `${tls === null ? "ws" : "wss"}://${at}/acp`,
    port,
    page,
    troupe: () => openAs(null),
    ticketed: () => `${page}#open=${signIns.ticket()}`,
    close: () => {
      closing ??= end();
      return closing;
    },
  };
}

function opened(server: Server, { host, port }: ServeConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new ServeFault("USER.SERVE.PORT_IN_USE", `${host}:${port} is in use: choose another --listen`)
          : new ServeFault("USER.SERVE.LISTEN", `cannot listen on ${host}:${port}: ${error.message}`),
      ),
    );
    server.listen({ host, port }, resolve);
  });
}
