/**
 * `troupe inspect`: where this user's processes can be inspected, and what the machines of a run do.
 *
 * I1. A run that an inspected process knows of is followed there, from what that process has kept until the run ends.
 *     Of any other the machines are shown as they are kept, and that this is all.
 */
import { WebSocket } from "ws";
import { type InspectedProcess, inspectedProcesses, TroupeError } from "../../../actors/troupe.ts";
import { KnownActors } from "../../../projections/inspection/actors.ts";
import { type WireMessage, wireText } from "../../../projections/inspection/wire.ts";
import { actorLines, stepLine } from "../../../projections/terminal/inspection.ts";
import { safeJson, safeLine } from "../../../projections/terminal/safe.ts";
import { inspectedWith } from "../../inspect/found.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

export async function inspect(context: CommandContext, name: string | null): Promise<number> {
  const { io } = context;
  if (name === null) return listed(context);
  return await withTroupe(io, async (troupe) => {
    const run = await troupe.find(name, { cwd: io.cwd });
    const { session } = await troupe.status(run);
    const process = await inspectedWith(io.env, `session/${session}`);
    if (process !== null) return await followed(context, process, { run, session });
    const actors = (await troupe.machines(run)).map((seen, at) => wireText({ n: at + 1, seen }));
    kept(context, actors);
    return 0;
  });
}

function listed({ io, format }: CommandContext): number {
  const found = inspectedProcesses(io.env);
  if (format === "json") writeJson(io, found);
  else if (found.length === 0) io.err("troupe: no process is inspected: start it with --inspect\n");
  else
    writeLines(
      io,
      found.map(({ pid, command, address }) => `${pid}  ${safeLine(command)}  ${safeLine(address)}`),
    );
  return 0;
}

/** What is kept of machines without an observer (I1). */
function kept({ io, format }: CommandContext, texts: readonly string[]): void {
  const known = new KnownActors();
  for (const text of texts) known.see(JSON.parse(text) as WireMessage);
  const actors = [...known.actors.values()];
  if (format === "json") return writeLines(io, texts.map(safeJson));
  writeLines(io, actorLines(actors, io));
  io.err("troupe: this is what is kept: events are seen of a process that was started with --inspect\n");
}

/** Resolves when the run has ended, its process has, or the reader has enough. */
async function followed(
  { io, format }: CommandContext,
  { pid, command, address }: InspectedProcess,
  { run, session }: { run: string; session: string },
): Promise<number> {
  io.err(`troupe: ${safeLine(command)} (pid ${pid}) has it\n`);
  const known = new KnownActors();
  const ws = new WebSocket(`${address}?session=${encodeURIComponent(`session/${session}`)}`);
  const unstop = io.onStop(() => ws.close());
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isReady = false;
  ws.once("open", () => {
    isReady = true;
  });
  ws.on("error", () => {
    const message = `pid ${pid} does not answer any more: ask once more`;
    if (!isReady) reject(new TroupeError("USER.SERVE.NOT_INSPECTED", message, { pid }));
  });
  ws.on("close", () => resolve());
  ws.on("message", (data) => {
    if (ws.readyState !== WebSocket.OPEN) return;
    const text = String(data);
    const step = known.see(JSON.parse(text) as WireMessage);
    if (format === "json") io.out(`${safeJson(text)}\n`);
    else if (step !== null) writeLines(io, [stepLine(step, known.actors, io)]);
    if (known.actors.get(`run/${run}`)?.isOver === true) ws.close();
  });
  try {
    await promise;
    return 0;
  } finally {
    unstop();
  }
}
