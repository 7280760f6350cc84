/** `session/new`, and a prompt's first text, one at a time in one process of each agent. */
import type { Client } from "../client.ts";
import type { Bench, Contender } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds, times } from "../figures.ts";

const WARM = 50;
const ROUNDS = 300;
const SESSION_GATE = 4;
const TEXT_GATE = 4;

type Take = (client: Client, contender: Contender) => Promise<number>;

/** Takes one figure of each agent in turn, after a warm-up; answers the medians. */
async function inTurn(
  { troupe, raw, sdk }: Bench,
  prepare: (client: Client) => Promise<unknown>,
  take: Take,
): Promise<{ ours: number; floor: number; theirs: number }> {
  const all = await Promise.all([raw, troupe, sdk].map(async (one) => ({ one, client: await one.ready() })));
  const taken = new Map<Contender, number[]>(all.map(({ one }) => [one, []]));
  for (const { client } of all) await prepare(client);
  for (let i = 0; i < WARM + ROUNDS; i++) {
    for (const { one, client } of all) {
      const ms = await take(client, one);
      if (i >= WARM) taken.get(one)?.push(ms);
    }
  }
  await Promise.all(all.map(({ client }) => client.end()));
  const middle = (one: Contender) => median(taken.get(one) ?? []);
  return { ours: middle(troupe), floor: middle(raw), theirs: middle(sdk) };
}

function figure(
  what: string,
  { ours, floor, theirs }: { ours: number; floor: number; theirs: number },
  gate: number,
): Figure {
  const ratio = ours / floor;
  return {
    what,
    troupe: milliseconds(ours),
    raw: milliseconds(floor),
    sdk: milliseconds(theirs),
    ratio: times(ratio),
    gate: `≤ ${gate}×`,
    verdict: atMost(ratio, gate),
  };
}

export async function session(bench: Bench): Promise<Figure[]> {
  const taken = await inTurn(
    bench,
    () => Promise.resolve(),
    async (client) => {
      const begun = performance.now();
      await client.session(bench.cwd);
      return performance.now() - begun;
    },
  );
  return [figure("session/new, p50", taken, SESSION_GATE)];
}

/** From sending a prompt to the first text of its agent step. */
export async function text(bench: Bench): Promise<Figure[]> {
  const sessions = new Map<Client, string>();
  const taken = await inTurn(
    bench,
    async (client) => sessions.set(client, await client.session(bench.cwd)),
    async (client, one) => {
      let first = Number.NaN;
      client.onUpdate = (_, { sessionUpdate }) => {
        if (Number.isNaN(first) && sessionUpdate === "agent_message_chunk") first = performance.now();
      };
      const begun = performance.now();
      await client.prompt(sessions.get(client) ?? "", one.says("hello"));
      if (Number.isNaN(first)) throw new Error(`${one.name} said nothing`);
      return first - begun;
    },
  );
  return [figure("prompt → first text of a step, p50", taken, TEXT_GATE)];
}
