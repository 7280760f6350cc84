/**
 * The port on which the engine calls a worker, and how the engine learns of it.
 *
 * I1. It listens where it was told, by default on this machine alone.
 * I2. The library is loaded when a worker begins, never before: Troupe itself does not bring it.
 */
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Listening, Serving } from "../../base/engine-port.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { type Sdk, type ServingHost, servicesFor } from "./services.ts";

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
  const handler = sdk.createEndpointHandler({
    services: servicesFor(sdk, host),
    logger: ({ level, context }, ...said) => {
      if (context === undefined || (level !== "warn" && level !== "error")) return;
      listening.log?.(host.shown([level, context.invocationTarget, ...said.map(String)].join(" ")));
    },
  });
  const server = createServer(handler);
  const calls = new Set<ServerHttp2Session>();
  server.on("session", (call: ServerHttp2Session) => {
    calls.add(call);
    call.on("close", () => calls.delete(call));
  });
  const port = await listen(server, listening);
  const uri = listening.uri ?? `http://${listening.host}:${port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const call of calls) call.destroy();
    });
  try {
    await register(listening.admin, uri);
  } catch (error) {
    await close();
    throw error;
  }
  return { port, uri, close };
}

function listen(server: Http2Server, { host, port, isShared }: Listening): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, reusePort: isShared }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

async function register(admin: string, uri: string): Promise<void> {
  let words: string;
  try {
    const response = await fetch(`${admin.replace(/\/+$/, "")}/deployments`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uri, force: true }),
    });
    if (response.ok) return;
    words = `${response.status} ${(await response.text()).slice(0, 300)}`;
  } catch (error) {
    words = String(error);
  }
  const message = `the engine's admin interface at ${admin} did not take this worker: ${words}`;
  throw new TroupeError("SYSTEM.ENGINE.UNREACHABLE", message, { engine: admin });
}
