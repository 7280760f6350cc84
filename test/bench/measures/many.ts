/** 256 prompts at once, one in each of 256 sessions, until the last is answered. Warm; the median of 9 interleaved pairs. */
import type { Client } from "../client.ts";
import type { Bench, Contender } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds, pairedRatio, times } from "../figures.ts";

const SESSIONS = 256;
const WARM = 8;
const PAIRS = 9;
const GATE = 8;

async function once(one: Contender, client: Client, sessions: readonly string[]): Promise<number> {
  let said = 0;
  client.onUpdate = (_, { sessionUpdate }) => {
    if (sessionUpdate === "agent_message_chunk") said++;
  };
  const begun = performance.now();
  await Promise.all(sessions.map((session) => client.prompt(session, one.says("hello"))));
  const ms = performance.now() - begun;
  if (said !== SESSIONS) throw new Error(`${one.name}: ${said} texts came before the answers, not ${SESSIONS}`);
  return ms;
}

export async function many({ troupe, raw, sdk, cwd }: Bench): Promise<Figure[]> {
  const all = await Promise.all(
    [raw, troupe, sdk].map(async (one) => {
      const client = await one.ready();
      const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => client.session(cwd)));
      return { one, client, sessions };
    }),
  );
  const taken = new Map<Contender, number[]>(all.map(({ one }) => [one, []]));
  for (let i = 0; i < WARM + PAIRS; i++) {
    for (const { one, client, sessions } of all) {
      const ms = await once(one, client, sessions);
      if (i >= WARM) taken.get(one)?.push(ms);
    }
  }
  await Promise.all(all.map(({ client }) => client.end()));
  const of = (one: Contender) => taken.get(one) ?? [];
  const ratio = pairedRatio(of(troupe), of(sdk));
  return [
    {
      what: `${SESSIONS} prompts at once, warm, median of ${PAIRS} pairs`,
      troupe: milliseconds(median(of(troupe))),
      raw: milliseconds(median(of(raw))),
      sdk: milliseconds(median(of(sdk))),
      ratio: `${times(ratio)} of the SDK's`,
      gate: `≤ ${GATE}× of the SDK's`,
      verdict: atMost(ratio, GATE),
    },
  ];
}
