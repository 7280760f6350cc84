/**
 * The port on which the engine calls a worker, and how the engine learns of it.
 *
 * I1. It listens where it was told, by default on this machine alone.
 * I2. The library is loaded when a worker begins, never before: Troupe itself does not bring it.
 * I3. Where keys of the engine are named, a call that none of them has signed is refused.
 * I4. Where workers share an address, the engine stays with the one to whom it is connected. A worker that meets what
 *     it does not know, or has no folder for, takes no more calls on that connection: the next one may lead to another worker.
 */
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Listening, Serving } from "../../base/engine-port.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { serveLive } from "./live-server.ts";
import { isServedAt, register } from "./registering.ts";
import { servicesFor } from "./services.ts";
import type { Sdk, ServingHost } from "./serving-host.ts";

const SDK = "@restatedev/restate-sdk";

/** The library, from one of these folders, or from where this program is. Throws SYSTEM.ENGINE.NOT_INSTALLED. */
export function engineSdk(folders: readonly string[]): Sdk {
  for (const from of [...folders.map((folder) => join(folder, "package.json")), import.meta.url]) {
    try {
      return createRequire(from)(SDK) as Sdk;
    } catch {
      // the next one
    }
  }
  throw new TroupeError("SYSTEM.ENGINE.NOT_INSTALLED", `${SDK} is not installed: troupe engine install`);
}

export async function serve(sdk: Sdk, host: ServingHost, listening: Listening): Promise<Serving> {
  const { identityKeys = [], tags = [] } = listening;
  const calls = new Set<ServerHttp2Session>();
  const unknown: ServingHost["unknown"] = (what) => {
    const words = host.unknown(what);
    if (words !== null) for (const call of calls) call.close(); // I4: what is under way on it ends first
    return words;
  };
  const begins: ServingHost["begins"] = async (start) => {
    try {
      return await host.begins(start);
    } catch (error) {
      for (const call of calls) call.close(); // I4
      throw error;
    }
  };
  const handler = handlerOf(sdk, {
    services: servicesFor(sdk, { ...host, unknown, begins }, { tags, isServed: isServedAt(listening.admin) }),
    ...(identityKeys.length === 0 ? {} : { identityKeys: [...identityKeys] }),
    logger: ({ level, context }, ...said) => {
      if (context === undefined || (level !== "warn" && level !== "error")) return;
      listening.log?.(host.shown([level, context.invocationTarget, ...said.map(wordsOf)].join(" ")));
    },
  });
  const server = createServer(handler);
  server.on("session", (call: ServerHttp2Session) => {
    calls.add(call);
    call.on("close", () => calls.delete(call));
  });
  const endLive = listening.live ? await serveLive(host.live, listening.live) : () => undefined;
  const port = await listen(server, listening);
  const uri = listening.uri ?? `http://${listening.host}:${port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      endLive();
      server.close(() => resolve());
      for (const call of calls) call.destroy();
    });
  try {
    await register(listening.admin, { uri, work: host.services.work, tags });
  } catch (error) {
    await close();
    throw error;
  }
  return { port, uri, close };
}

/** Throws USER.CLI.USAGE where a key is none. */
function handlerOf(sdk: Sdk, options: Parameters<Sdk["createEndpointHandler"]>[0]) {
  try {
    return sdk.createEndpointHandler(options);
  } catch (error) {
    const [key = ""] = options.identityKeys ?? [];
    const words = `an identity key is "publickeyv1_…", as the engine says when it starts: ${(error as Error).message}`;
    throw key === "" ? error : new TroupeError("USER.CLI.USAGE", words);
  }
}

const wordsOf = (said: unknown): string =>
  said instanceof TroupeError ? `${said.code}: ${said.message}` : String(said);

function listen(server: Http2Server, { host, port, isShared }: Listening): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, reusePort: isShared }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
