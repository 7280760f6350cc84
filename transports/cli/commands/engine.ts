/** `troupe engine`: Restate's programs fetched, and one node of it for development. */
import { engines } from "../../../actors/troupe.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import type { Io } from "../io.ts";

const LICENCE =
  "Restate's server is under the Business Source License 1.1 (no open source; Apache-2.0 four years after each release)";

export async function install(io: Io): Promise<number> {
  const { installEngine, ENGINE_VERSION } = await engines();
  io.err(`troupe: fetches Restate ${ENGINE_VERSION} from npm, about 225 MB; ${LICENCE}\n`);
  io.out(`${safeLine(await installEngine(io.env))}\n`);
  return 0;
}

type Flags = { port: number; adminPort: number; nodePort: number; data?: string };
const FAULT = 4;

export async function up(io: Io, { port, adminPort, nodePort, data }: Flags): Promise<number> {
  const { engineUp } = await engines();
  const stopped = Promise.withResolvers<"stopped">();
  let asked = 0;
  const forget = io.onStop((why) => {
    if (++asked > 1 && why !== "closed") io.exitNow(FAULT);
    stopped.resolve("stopped");
  });
  try {
    const ports = { ingress: port, admin: adminPort, node: nodePort };
    const engine = await engineUp(io.env, ports, data);
    io.err(`troupe: an engine runs at ${engine.url}, its admin interface at ${engine.admin}; ${LICENCE}\n`);
    io.err(`troupe: next: troupe worker --engine ${engine.url} --admin ${engine.admin}\n`);
    const why = await Promise.race([stopped.promise, engine.ended]);
    await engine.stop();
    if (why === "stopped") return 0;
    io.err(`troupe: the engine has ended: ${safeLine(why.trim().split("\n").at(-1) ?? "")}\n`);
    return FAULT;
  } finally {
    forget();
  }
}
