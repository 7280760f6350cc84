/** A client stops reading while an agent says far more than any buffer holds: the effect on others and on the server. */
import type { Bench } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds } from "../figures.ts";
import { mebibytes, pause, residentBytes } from "../memory.ts";
import { quantile, Socket, serve } from "../sockets.ts";
import { loggedText } from "./stream.ts";

const CHUNKS = 300_000;
const PACED = "stream:400@200";
/** The paced stream takes 2 s; the other run has to last longer. */
const SPEAKS_MS = 4_000;
const WARM = 5;
const ROUNDS = 3;
const SETTLE_MS = 2_000;
const STEADY_MS = 2_500;
const DELAY_GATE_MS = 5;
const GROWTH_GATE_MIB = 16;

/** Times between the chunks of a paced stream. */
async function gaps(socket: Socket, bench: Bench): Promise<number[]> {
  const session = await socket.session(bench.cwd);
  const at: number[] = [];
  socket.onText = () => at.push(performance.now());
  await socket.prompt(session, bench.troupe.says(PACED));
  return at.slice(1).map((time, i) => time - (at[i] ?? time));
}

/** Prompts for a text that is not read. */
async function speakUnread(slow: Socket, bench: Bench, chunks: number): Promise<string> {
  const session = await slow.session(bench.cwd);
  await pause(SETTLE_MS);
  slow.ws.pause();
  void slow.prompt(session, bench.troupe.says(`stream:${chunks}`)).catch(() => undefined);
  return session;
}

type Lateness = { alone: number[]; beside: number[] };

/** The gaps between another client's chunks, alone and while the unread text still flows. */
async function lateness(bench: Bench): Promise<Lateness> {
  const serving = await serve(bench, bench.troupe);
  const [slow, other] = [await Socket.open(serving), await Socket.open(serving)];
  for (let i = 0; i < WARM; i++) await slow.gather(await slow.session(bench.cwd), bench.troupe.says("stream:20000"));
  const { ms } = await slow.gather(await slow.session(bench.cwd), bench.troupe.says(`stream:${CHUNKS}`));
  await gaps(other, bench);
  const alone = await gaps(other, bench);
  const chunks = Math.ceil((CHUNKS / ms) * SPEAKS_MS);
  const session = await speakUnread(slow, bench, chunks);
  const beside = await gaps(other, bench);
  if (loggedText(bench.store, session).includes(`tok${chunks - 1} `))
    throw new Error("the run of the client that does not read ended before the measure did");
  await slow.end();
  await other.end();
  await serving.end();
  return { alone, beside };
}

/** The most bytes by which a fresh server grows for a reader that stops. A reader that keeps up has warmed it before. */
async function growth(bench: Bench): Promise<number> {
  const serving = await serve(bench, bench.troupe);
  const slow = await Socket.open(serving);
  for (let i = 0; i < WARM; i++) await slow.gather(await slow.session(bench.cwd), bench.troupe.says("stream:20000"));
  await slow.gather(await slow.session(bench.cwd), bench.troupe.says(`stream:${CHUNKS}`));
  await pause(SETTLE_MS);
  const before = residentBytes(serving.pid);
  await speakUnread(slow, bench, CHUNKS);
  let height = before;
  for (let since = performance.now(); performance.now() - since < STEADY_MS; await pause(20)) {
    const now = residentBytes(serving.pid);
    if (now <= height) continue;
    height = now;
    since = performance.now();
  }
  await slow.end();
  await serving.end();
  return height - before;
}

async function rounds<Value>(take: () => Promise<Value>): Promise<Value[]> {
  const taken: Value[] = [];
  while (taken.length < ROUNDS) taken.push(await take());
  return taken;
}

export async function wsSlow(bench: Bench): Promise<Figure[]> {
  const late = await rounds(() => lateness(bench));
  const p95 = median(late.map(({ alone, beside }) => quantile(beside, 0.95) - quantile(alone, 0.95)));
  const longest = median(late.map(({ beside }) => Math.max(...beside)));
  const grown = await rounds(() => growth(bench));
  const bare = { raw: "", sdk: "", ratio: "" };
  return [
    {
      ...bare,
      what: `ws: another client's chunks beside one that does not read, later at p95, median of ${ROUNDS}`,
      troupe: `${milliseconds(p95)} (longest gap ${milliseconds(longest)})`,
      gate: `≤ ${DELAY_GATE_MS} ms`,
      verdict: atMost(p95, DELAY_GATE_MS),
    },
    {
      ...bare,
      what: `ws: growth with a reader that stops, ${CHUNKS.toLocaleString("en")} chunks, median of ${ROUNDS} servers`,
      troupe: `${mebibytes(median(grown))} (most ${mebibytes(Math.max(...grown))})`,
      gate: `≤ ${GROWTH_GATE_MIB} MiB`,
      verdict: atMost(median(grown), GROWTH_GATE_MIB * 1024 * 1024),
    },
  ];
}
