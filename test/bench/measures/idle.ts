/** The memory of an idle open session, with 10,000 of them. */
import type { Bench, Contender } from "../contenders.ts";
import { atMost, type Figure } from "../figures.ts";
import { kibibytes, pause, residentBytes } from "../memory.ts";

const SESSIONS = 10_000;
const AT_ONCE = 50;
const SETTLE_MS = 2_000;
const GATE_KIB = 10;

/** Bytes for each session after the first, which also loads code. */
async function perSession(one: Contender, cwd: string): Promise<number> {
  const client = await one.ready();
  await client.session(cwd);
  await pause(SETTLE_MS);
  const before = residentBytes(client.pid);
  for (let i = 1; i < SESSIONS; i += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, SESSIONS - i) }, () => client.session(cwd)));
  }
  await pause(SETTLE_MS);
  const bytes = (residentBytes(client.pid) - before) / (SESSIONS - 1);
  await client.end();
  return bytes;
}

export async function idle({ troupe, raw, sdk, cwd }: Bench): Promise<Figure[]> {
  const [floor, ours, theirs] = [await perSession(raw, cwd), await perSession(troupe, cwd), await perSession(sdk, cwd)];
  return [
    {
      what: `memory for each open idle session at ${SESSIONS.toLocaleString("en")}`,
      troupe: kibibytes(ours),
      raw: kibibytes(floor),
      sdk: kibibytes(theirs),
      ratio: "",
      gate: `≤ ${GATE_KIB} KiB`,
      verdict: atMost(ours, GATE_KIB * 1024),
    },
  ];
}
