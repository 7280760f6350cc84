/** `troupe engine`: Restate's programs fetched, and one node of it for development. */
import { engines, TroupeError } from "../../../actors/troupe.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { type CommandContext, type Io, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { adminOf } from "./worker.ts";

const LICENCE =
  "Restate's server is under the Business Source License 1.1 (no open source; Apache-2.0 four years after each release)";

export async function install(io: Io): Promise<number> {
  const { installEngine, ENGINE_VERSION } = await engines();
  io.err(`troupe: fetches Restate ${ENGINE_VERSION} from npm, about 225 MB; ${LICENCE}\n`);
  io.out(`${safeLine(await installEngine(io.env))}\n`);
  return 0;
}

export type EngineFlags = {
  port: number;
  adminPort: number;
  nodePort: number;
  cluster?: number[];
  identityKey?: string;
  data?: string;
};

type Moved = Awaited<ReturnType<Awaited<ReturnType<typeof engines>>["moveIntoEngine"]>>;
type MoveFlags = { engine: string; admin?: string };
/** What the user's store has goes into the engine, or comes back from it. */
export async function move(
  { io, format }: CommandContext,
  way: "import" | "export",
  flags: MoveFlags,
): Promise<number> {
  const { moveIntoEngine, moveOutOfEngine } = await engines();
  const { engine: url, admin = adminOf(url) } = flags;
  const moved = await (way === "import" ? moveIntoEngine(io.env, url) : moveOutOfEngine(io.env, url, admin));
  if (format === "json") writeJson(io, moved);
  else writeLines(io, wordsOf(moved, way));
  return moved.running + moved.cutOff + moved.differing === 0 ? 0 : 1;
}
function wordsOf({ moved, running, cutOff, differing }: Moved, way: "import" | "export"): string[] {
  const why: [number, string][] = [
    [running, "run, or are used by a process: end that, and move again"],
    [cutOff, "were cut off while they ran: troupe resume them here, and move again"],
    [differing, "stand in both places, and went on in both: they stay as they are"],
  ];
  const stay = why.filter(([count]) => count > 0).map(([count, words]) => `${count} stay, since they ${words}.`);
  return [
    `Moved ${moved} ${moved === 1 ? "session" : "sessions"} ${way === "import" ? "into" : "out of"} the engine.`,
    ...stay,
  ];
}

const FAULT = 4;

export async function up(
  io: Io,
  { port, adminPort, nodePort, cluster = [], identityKey, data }: EngineFlags,
): Promise<number> {
  if (cluster.length > 0 && !cluster.includes(nodePort))
    throw new TroupeError("USER.CLI.USAGE", `--cluster names the node ports of all nodes, also ${nodePort}, its own`);
  const { engineUp } = await engines();
  const stopped = Promise.withResolvers<"stopped">();
  let asked = 0;
  const forget = io.onStop((why) => {
    if (++asked > 1 && why !== "closed") io.exitNow(FAULT);
    stopped.resolve("stopped");
  });
  try {
    const ports = { ingress: port, admin: adminPort, node: nodePort };
    const engine = await engineUp(io.env, { ports, folder: data, cluster, identityKey });
    io.err(`troupe: an engine runs at ${engine.url}, its admin interface at ${engine.admin}; ${LICENCE}\n`);
    const signed = engine.identity === null ? "" : ` --identity-key ${engine.identity}`;
    io.err(`troupe: next: troupe worker --engine ${engine.url} --admin ${engine.admin}${signed}\n`);
    const why = await Promise.race([stopped.promise, engine.ended]);
    await engine.stop();
    if (why === "stopped") return 0;
    io.err(`troupe: the engine has ended: ${safeLine(why.trim().split("\n").at(-1) ?? "")}\n`);
    return FAULT;
  } finally {
    forget();
  }
}
