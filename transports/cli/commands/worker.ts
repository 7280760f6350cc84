/** `troupe worker`: works for an engine until a signal stops it. */
import { TroupeError } from "../../../actors/troupe.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import type { Io } from "../io.ts";
import { withTroupe } from "../with-troupe.ts";

const ADMIN_PORT = "9070";
const FAULT = 1;
const LISTEN = "127.0.0.1:9080";
/** `live`: where it can be followed; false: nowhere. */
export type WorkerFlags = {
  engine: string;
  admin?: string;
  listen?: string;
  uri?: string;
  identityKey: string[];
  tag: string[];
  live: string | false;
  liveUri?: string;
};

export async function worker(io: Io, flags: WorkerFlags): Promise<number> {
  const { engine, admin, listen, uri, identityKey, tag: tags, live, liveUri } = flags;
  if (tags.length > 0 && listen === undefined)
    throw new TroupeError(
      "USER.CLI.USAGE",
      "--tag needs --listen: an address that only workers with the same tags have",
    );
  const { host, port } = placeOf("--listen", listen ?? LISTEN);
  const livePlace =
    live === false ? null : { ...placeOf("--live", live), ...(liveUri === undefined ? {} : { uri: liveUri }) };
  const stopped = Promise.withResolvers<void>();
  let asked = 0;
  const forget = io.onStop((why) => {
    if (++asked > 1 && why !== "closed") io.exitNow(FAULT);
    stopped.resolve();
  });
  try {
    return await withTroupe(
      io,
      async (troupe) => {
        const log = (line: string): void => io.err(`troupe: ${safeLine(line)}\n`);
        const listening = {
          host,
          port,
          isShared: port !== 0,
          admin: admin ?? adminOf(engine),
          identityKeys: identityKey,
          tags,
          live: livePlace,
          log,
        };
        const working = await troupe.work({ ...listening, ...(uri === undefined ? {} : { uri }) });
        io.err(
          `troupe: works for ${engine}${tags.map((tag) => `, ${tag}`).join("")}, which calls it at ${working.uri} (pid ${process.pid})\n`,
        );
        await stopped.promise;
        await working.close();
        return 0;
      },
      { engine },
    );
  } finally {
    forget();
  }
}

/** Where it is by default. */
export function adminOf(engine: string): string {
  const admins = engine.split(",").map((node) => {
    const url = new URL(node);
    url.port = ADMIN_PORT;
    return url.href.replace(/\/+$/, "");
  });
  return admins.join(",");
}

/** Throws USER.CLI.USAGE. */
function placeOf(flag: string, listen: string): { host: string; port: number } {
  const [, host = "", port = ""] = /^(.+):([0-9]{1,5})$/.exec(listen) ?? [];
  if (host !== "" && Number(port) <= 65_535) return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
  throw new TroupeError("USER.CLI.USAGE", `${flag} is host:port, not "${listen}"`);
}
