/** The cost of a reader that stops: growth of the agent's memory while it says 300,000 chunks that are not read. */
import type { Bench, Contender } from "../contenders.ts";
import { atMost, type Figure } from "../figures.ts";
import { mebibytes, pause, residentBytes } from "../memory.ts";
import { expectedText, loggedText } from "./stream.ts";

const CHUNKS = 300_000;
const WARM_CHUNKS = 20_000;
const WARM = 5;
const SETTLE_MS = 1_000;
const SAMPLE_MS = 20;
/** The memory is at its peak when it has not grown for this long. */
const STEADY_MS = 2_500;
const GATE_MIB = 16;

async function growth(bench: Bench, one: Contender): Promise<number> {
  const client = await one.ready();
  for (let i = 0; i < WARM; i++) {
    await client.gather(await client.session(bench.cwd), one.says(`stream:${WARM_CHUNKS}`));
  }
  const session = await client.session(bench.cwd);
  await pause(SETTLE_MS);
  const before = residentBytes(client.pid);
  client.stopReading();
  const answered = client.gather(session, one.says(`stream:${CHUNKS}`));
  let height = before;
  for (let since = performance.now(); performance.now() - since < STEADY_MS; await pause(SAMPLE_MS)) {
    const now = residentBytes(client.pid);
    if (now <= height) continue;
    height = now;
    since = performance.now();
  }
  client.goOnReading();
  const { text } = await answered;
  const said = expectedText(CHUNKS);
  // Behind it Troupe warns that a step's output keeps less of it.
  if (!text.startsWith(said)) throw new Error(`${one.name}: the text shown after the stop is not the text said`);
  if (one === bench.troupe && loggedText(bench.store, session) !== said) {
    throw new Error("the text in the log is not the text said");
  }
  await client.end();
  return height - before;
}

export async function stopped(bench: Bench): Promise<Figure[]> {
  const { troupe, raw, sdk } = bench;
  const [floor, ours, theirs] = [await growth(bench, raw), await growth(bench, troupe), await growth(bench, sdk)];
  return [
    {
      what: `growth with a stopped reader, ${CHUNKS.toLocaleString("en")} chunks`,
      troupe: mebibytes(ours),
      raw: mebibytes(floor),
      sdk: mebibytes(theirs),
      ratio: "",
      gate: `≤ ${GATE_MIB} MiB`,
      verdict: atMost(ours, GATE_MIB * 1024 * 1024),
    },
  ];
}
