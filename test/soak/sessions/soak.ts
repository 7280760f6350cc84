/**
 * So many sessions, or sessions for so long, so many at a time, at one server; and what is left of them in it.
 *
 * I1. What is left is compared with what there was after the first ones, when what is loaded once is loaded, and what
 *     is kept up to a bound is there.
 */
import { statSync } from "node:fs";
import { residentBytes } from "../../bench/memory.ts";
import { openHouse } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";
import { type Counts, type Held, Inside, WITH_TOOLS } from "./inside.ts";
import { live, type Place, WORKFLOWS } from "./lives.ts";

const LANES = 16;
/** What is looked for is what is left, however slow the machine is; who has left is not waited for. */
const PATIENT = ["handshakeMs=600000", "initializeMs=600000", "pingMs=600000", "disconnectGraceMs=0"].flatMap(
  (limit) => ["--limit", limit],
);

/** So often the first sessions are repeated, at most, until all that is loaded once is there. */
const MOST_WARM = 5;
const NOTICE_MS = 10_000;

/** Bytes; `sessions`: how many there had been; `life`: milliseconds that one takes, the middle of those since the last look. */
export type Weight = { sessions: number; heap: number; resident: number; store: number; life: number };
export type Soaked = {
  url: string;
  /** When the first ones had gone. */
  before: Held & { objects: Counts };
  held: () => Promise<Held>;
  objects: () => Promise<Counts>;
  weights: Weight[];
  leave: () => Promise<void>;
};
/** How long it lasts; `warm` sessions come before. */
export type Length = { is: "sessions"; sessions: number } | { is: "minutes"; minutes: number };
export type SoakOptions = { length: Length; warm: number; looks: number; onLook?: (weight: Weight) => void };

export async function soak({ length, warm, looks, onLook }: SoakOptions): Promise<Soaked> {
  const house = openHouse(WORKFLOWS);
  const server = await startServer(house, PATIENT, { TROUPE_TRUST: "1" }, WITH_TOOLS);
  const place = { house, server };
  const inside = await Inside.of(server);
  await some(place, 0, upTo(warm));
  for (let more = 0; more < MOST_WARM && !inside.hasThread(); more++) await some(place, 0, upTo(warm));
  const before = { ...(await settled(inside)), objects: await inside.objects() };
  const weights: Weight[] = [];
  const begun = performance.now();
  for (let look = 1, done = 0; look <= looks; look++) {
    const lives: number[] = [];
    done = await some(place, done, goesOn(length, look / looks, begun), lives);
    const weight = {
      ...{ sessions: done, heap: await inside.heap(), resident: residentBytes(server.pid) },
      ...{ store: statSync(house.store).size, life: lives.toSorted((a, b) => a - b)[lives.length >> 1] ?? 0 },
    };
    weights.push(weight);
    onLook?.(weight);
  }
  return {
    url: server.url,
    before,
    held: () => inside.held(),
    objects: () => inside.objects(),
    weights,
    leave: async () => {
      inside.leave();
      await house.leave();
    },
  };
}

/** Whether the session of this number still belongs to the first `part` of the whole. */
function goesOn(length: Length, part: number, begun: number): (session: number) => boolean {
  switch (length.is) {
    case "sessions":
      return upTo(Math.round(length.sessions * part));
    case "minutes":
      return () => performance.now() - begun < length.minutes * 60_000 * part;
    default:
      return length satisfies never;
  }
}
const upTo = (end: number) => (session: number) => session < end;

/**
 * The sessions from this number on, LANES at a time, until the length is reached. Answers the number of the next one;
 * `lives` takes how long each was.
 */
async function some(
  place: Place,
  from: number,
  on: (session: number) => boolean,
  lives: number[] = [],
): Promise<number> {
  let next = from;
  const lane = async (): Promise<void> => {
    while (on(next)) {
      const began = performance.now();
      await live(place, next++);
      lives.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return next;
}

/** What is held when the server has noticed that its clients have gone. */
async function settled(inside: Inside): Promise<Held> {
  const end = performance.now() + NOTICE_MS;
  for (;;) {
    const held = await inside.held();
    if (held.resources["TCPSocketWrap"] === undefined || performance.now() > end) return held;
  }
}
