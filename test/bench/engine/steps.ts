/** Steps a second of many sessions at once, the processor time of each, and what a prompt leaves on the disc. */
import type { Client } from "../client.ts";
import { median, milliseconds, times } from "../figures.ts";
import { kibibytes } from "../memory.ts";
import type { Line } from "./lines.ts";
import { type EngineSide, type Processor, type Side, STEPS } from "./sides.ts";

/** Processor time is that of a step. `refused`: prompts that had no answer in time. */
export type Round = { sessions: number; stepsPerS: number; processor: Processor; refused: number };
type Open = { side: Side; client: Client; sessions: string[] };
const WARM = { sessions: 16, rounds: 6 };
export type StepsOptions = { counts: readonly number[]; rounds: number; say: (line: Line) => void };

export async function steps(
  sides: readonly [Side, EngineSide],
  { counts, rounds, say }: StepsOptions,
): Promise<{ rounds: Round[]; bytes: number }> {
  const opened = await Promise.all(
    sides.map(async (side): Promise<Open> => ({ side, client: await side.ready(), sessions: [] })),
  );
  await warm(opened);
  const bytes = opened.map(({ side }) => -side.bytes());
  const taken = new Map(counts.map((count): [number, Round[][]] => [count, [[], []]]));
  const take = async (count: number): Promise<void> => {
    for (const [which, one] of opened.entries()) {
      const { client, side, sessions } = one;
      while (sessions.length < count) sessions.push(await client.session(side.cwd));
      taken.get(count)?.[which]?.push(await once(one, count));
    }
  };
  for (let i = 0; i < rounds; i++) for (const count of counts) await take(count);
  const prompts = rounds * counts.reduce((sum, count) => sum + count, 0);
  for (const [which, { side }] of opened.entries()) bytes[which] = ((bytes[which] ?? 0) + side.bytes()) / prompts;
  const [ours = 0, theirs = 0] = bytes;
  say({
    what: `bytes in files for a prompt of ${STEPS} steps, over ${prompts} prompts`,
    embedded: kibibytes(ours),
    engine: kibibytes(theirs),
    ratio: times(theirs / ours),
    processor: "",
  });
  const engine: Round[] = [];
  for (const [count, [ours = [], theirs = []]] of taken) {
    const [embedded, round] = [middle(ours), middle(theirs)];
    engine.push(round);
    say({
      what: `steps a second, ${count} ${count === 1 ? "session" : "sessions"} at once`,
      embedded: embedded.stepsPerS.toFixed(0),
      engine: round.stepsPerS.toFixed(1) + (round.refused === 0 ? "" : `, ${round.refused} prompts refused`),
      ratio: times(round.stepsPerS / embedded.stepsPerS),
      processor: `${milliseconds(embedded.processor.gateway)} / ${byKind(round.processor)}`,
    });
  }
  await Promise.all(opened.map(({ client }) => client.end()));
  return { rounds: engine, bytes: theirs };
}

/** From a prompt to the first text of its first step, one at a time. */
export async function firstText(sides: readonly [Side, EngineSide], { rounds }: { rounds: number }): Promise<Line> {
  const opened = await Promise.all(
    sides.map(async (side) => {
      const client = await side.ready();
      return { side, client, session: await client.session(side.cwd), taken: [] as number[], used: [] as number[] };
    }),
  );
  for (let i = -3; i < rounds; i++) {
    for (const { side, client, session, taken, used } of opened) {
      let first = Number.NaN;
      client.onUpdate = (_, { sessionUpdate }) => {
        if (sessionUpdate === "agent_message_chunk" && Number.isNaN(first)) first = performance.now();
      };
      const [before, begun] = [side.processor(client), performance.now()];
      await client.prompt(session, "/chain");
      if (i < 0) continue;
      taken.push(first - begun);
      used.push(sum(side.processor(client)) - sum(before));
    }
  }
  await Promise.all(opened.map(({ client }) => client.end()));
  const [ours, theirs] = opened.map(({ taken, used }) => ({ ms: median(taken), used: median(used) }));
  if (ours === undefined || theirs === undefined) throw new Error("two sides are compared");
  return {
    what: `prompt → first text, p50 of ${rounds}`,
    embedded: milliseconds(ours.ms),
    engine: milliseconds(theirs.ms),
    ratio: times(theirs.ms / ours.ms),
    processor: `${milliseconds(ours.used)} / ${milliseconds(theirs.used)} a prompt`,
  };
}

/** What three nodes cost for a step beside one, by processor time: with less than a machine for each the clock says little. */
export async function threeNodes(sides: readonly [EngineSide, EngineSide], { rounds }: { rounds: number }) {
  const opened: Open[] = [];
  for (const side of sides) opened.push({ side, client: await side.ready(), sessions: [] });
  await warm(opened);
  const taken: Round[][] = [[], []];
  for (let i = 0; i < rounds; i++)
    for (const [which, one] of opened.entries()) taken[which]?.push(await once(one, WARM.sessions));
  await Promise.all(opened.map(({ client }) => client.end()));
  const [one, three] = taken.map(middle) as [Round, Round];
  const line: Line = {
    what: `three nodes, ${WARM.sessions} sessions: steps a second to those of one node`,
    embedded: "",
    engine: `${three.stepsPerS.toFixed(0)} / ${one.stepsPerS.toFixed(0)}`,
    ratio: times(three.stepsPerS / one.stepsPerS),
    processor: `${byKind(three.processor)} / ${byKind(one.processor)}`,
  };
  return { line, replicated: three.processor.node / one.processor.node };
}

/** Code that runs hot is compiled by then. */
async function warm(opened: readonly Open[]): Promise<void> {
  for (const one of opened) {
    while (one.sessions.length < WARM.sessions) one.sessions.push(await one.client.session(one.side.cwd));
    for (let i = 0; i < WARM.rounds; i++) await once(one, WARM.sessions);
  }
}

async function once({ side, client, sessions }: Open, count: number): Promise<Round> {
  const [before, begun] = [side.processor(client), performance.now()];
  const ends = await Promise.allSettled(
    sessions.slice(0, count).map((session) =>
      client.prompt(session, "/chain").catch((error: unknown) => {
        sessions.splice(sessions.indexOf(session), 1); // it may still run
        throw error;
      }),
    ),
  );
  const ms = performance.now() - begun;
  const after = side.processor(client);
  const refused = ends.filter(({ status }) => status === "rejected").length;
  const done = (count - refused) * STEPS;
  const of = (kind: keyof Processor): number => (after[kind] - before[kind]) / done;
  const processor = { node: of("node"), worker: of("worker"), gateway: of("gateway") };
  return { sessions: count, stepsPerS: (done * 1_000) / ms, processor, refused };
}

/** Each figure's own median. */
function middle(rounds: readonly Round[]): Round {
  const of = (kind: keyof Processor): number => median(rounds.map(({ processor }) => processor[kind]));
  return {
    sessions: rounds[0]?.sessions ?? 0,
    refused: Math.max(...rounds.map(({ refused }) => refused)),
    stepsPerS: median(rounds.map(({ stepsPerS }) => stepsPerS)),
    processor: { node: of("node"), worker: of("worker"), gateway: of("gateway") },
  };
}
const sum = ({ node, worker, gateway }: Processor): number => node + worker + gateway;
const byKind = (used: Processor): string =>
  `${milliseconds(sum(used))} (${[used.node, used.worker, used.gateway].map((ms) => ms.toFixed(1)).join(" + ")})`;
