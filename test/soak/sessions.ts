/** Sessions over sockets, opened, prompted, dropped and resumed: nothing is left of them, and memory is flat. */
import { MAX_CACHED } from "../../actors/host/actor-cache.ts";
import { acting, beyond, grown, plain } from "./sessions/inside.ts";
import { type Length, soak } from "./sessions/soak.ts";

/** More than is kept of sessions without a viewer. */
const WARM = MAX_CACHED + 452;
const LOOKS = 20;
const MiB = 1024 ** 2;
/** Of what is alive, from the first twentieth to the last. */
const HEAP_GATE_MIB = 8;
const RESIDENT_GATE_MIB = 64;
/** One in so many sessions may leave an object of a kind. */
const LEFT_IN = 20;
const SETTLE_MS = 15_000;

/** Answers whether all was well. */
export async function soakSessions(length: Length): Promise<boolean> {
  console.log(
    `${length.is === "sessions" ? `${length.sessions} sessions` : `${length.minutes} minutes`} after ${WARM}`,
  );
  const begun = performance.now();
  const soaked = await soak({
    ...{ length, warm: WARM, looks: LOOKS },
    onLook: ({ sessions: n, heap, resident, store, life }) =>
      console.log(
        `${n} sessions: ${(heap / MiB).toFixed(1)} MiB alive, ${(resident / MiB).toFixed(0)} MiB resident, ${(store / MiB).toFixed(0)} MiB stored, a life of ${life.toFixed(0)} ms`,
      ),
  });
  const { weights } = soaked;
  const { objects, ...before } = soaked.before;
  let after = await soaked.held();
  for (const end = performance.now() + SETTLE_MS; performance.now() < end && beyond(before, after).length > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    after = await soaked.held();
  }
  const [first, last] = [weights[0], weights.at(-1)];
  const heap = ((last?.heap ?? 0) - (first?.heap ?? 0)) / MiB;
  const resident = ((last?.resident ?? 0) - (first?.resident ?? 0)) / MiB;
  const most = (last?.sessions ?? 0) / LEFT_IN;
  const now = await soaked.objects();
  // How full a cache of MAX_CACHED actors is changes all the time.
  const left = [
    ...grown(acting(objects), acting(now), most),
    ...grown(plain(objects), plain(now), Math.max(most, MAX_CACHED)),
  ];
  await soaked.leave();
  console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s`);
  console.log(`held before: ${JSON.stringify(before)}\nheld after:  ${JSON.stringify(after)}`);
  console.log(`objects that grew with the sessions: ${left.length === 0 ? "none" : left.join(", ")}`);
  console.log(
    `alive grew by ${heap.toFixed(1)} MiB (≤ ${HEAP_GATE_MIB}), resident by ${resident.toFixed(0)} MiB (≤ ${RESIDENT_GATE_MIB})`,
  );
  return (
    beyond(before, after).length === 0 && left.length === 0 && heap <= HEAP_GATE_MIB && resident <= RESIDENT_GATE_MIB
  );
}
