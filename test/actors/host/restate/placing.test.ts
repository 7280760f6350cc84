/** Covers `placing.ts`: how work with a tag reaches a worker that has it. */
import { expect, test } from "vitest";
import { placing } from "../../../../actors/host/restate/placing.ts";
import type { WorkStart } from "../../../../actors/host/restate/protocol.ts";

class TimeoutError extends Error {}
const START = { tag: "shop" } as WorkStart;
const WORDS = 'no worker with the tag "shop" answers: this goes on when one comes (troupe worker --tag shop)';

/** A tag that is known from the nth look on, at an address that answers or does not; what happened, in order. */
async function placed({ knownAt = 1, answer = async () => {} }: { knownAt?: number; answer?: () => Promise<void> }) {
  const seen: string[] = [];
  let looks = 0;
  const ctx = {
    // An engine repeats what throws.
    run: async (_: string, work: () => Promise<unknown>): Promise<unknown> => {
      for (;;)
        try {
          return await work();
        } catch (error) {
          seen.push((error as { code: string }).code);
        }
    },
    serviceSendClient: ({ name }: { name: string }) => ({ carry: () => seen.push(`carried by ${name}`) }),
    serviceClient: () => ({ ping: () => ({ orTimeout: answer }) }),
  };
  const place = placing({ TimeoutError } as never, {
    work: "work",
    isServed: async () => ++looks >= knownAt,
    say: (_, __, words) => void seen.push(words),
    delay: (milliseconds) => ({ milliseconds }),
  });
  await place(ctx as never, START);
  return seen;
}

test("work is handed to the workers with its tag, and nothing is said where they answer (I1)", async () => {
  expect(await placed({})).toEqual(["carried by work_shop"]);
});

test("where no worker has the tag it is said once, and the work goes on when one comes (I2)", async () => {
  expect(await placed({ knownAt: 4 })).toEqual([
    WORDS,
    "SYSTEM.ENGINE.NO_WORKER",
    "SYSTEM.ENGINE.NO_WORKER",
    "carried by work_shop",
  ]);
});

test("where the tag is known and nobody answers, it is said, and the call waits at the engine (I2)", async () => {
  const silent = () => Promise.reject(new TimeoutError());
  expect(await placed({ answer: silent })).toEqual(["carried by work_shop", WORDS]);
  await expect(placed({ answer: () => Promise.reject(new Error("of another kind")) })).rejects.toThrow("another kind");
});
