/** Covers `run-news.ts`: what a principal hears of what other processes have written. */
import { expect, test, vi } from "vitest";
import { type Clock, systemClock } from "../../../actors/base/clock.ts";
import { RunNews, watchRuns } from "../../../actors/facade/run-news.ts";
import type { RunQuery } from "../../../actors/host/reads.ts";
import { createTroupe } from "../../../actors/troupe.ts";
import { openHouse } from "../../support/house.ts";
import { ManualClock } from "../../support/manual-clock.ts";

const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test("a run that waits is news where it goes on elsewhere, however many have begun after it (I2)", async () => {
  const [clock, news, changed] = [new ManualClock(), new RunNews(), vi.fn()];
  let head = 1;
  const runs = [
    ...Array.from({ length: 300 }, (_, at) => ({ run: `r${at}`, stands: "completed", session: "session/a" })),
    { run: "old", stands: "parked", session: "session/b" },
  ];
  const host = {
    listen: () => () => undefined,
    head: (session: string) => (session === "session/b" ? head : 9),
    runs: {
      async *latest({ stands }: RunQuery) {
        yield* runs.filter((run) => stands === null || (stands as readonly string[]).includes(run.stands));
      },
    },
  };
  const parts = { host, news, options: { clock } } as unknown as Parameters<typeof watchRuns>[0];
  const end = watchRuns(parts, "ann", changed);
  const look = async (): Promise<void> => {
    news.look();
    clock.advance(500);
    await rest();
  };
  await look();
  expect(changed).not.toHaveBeenCalled();
  head = 2;
  await look();
  expect(changed).toHaveBeenCalledTimes(1);
  end();
  head = 3;
  await look();
  expect(changed).toHaveBeenCalledTimes(1);
});

test("of what other processes write, a principal hears of its own runs alone (I2)", async () => {
  const house = openHouse(["acceptance/hello.yaml"]);
  const environment = { ...house.env, TROUPE_TRUST: "1" };
  /** What waits until it is compared how the runs stand. */
  const looks: (() => void)[] = [];
  const after: Clock["after"] = (ms, act) => {
    if (ms !== 500) return systemClock.after(ms, act);
    looks.push(act);
    return () => void looks.splice(looks.indexOf(act), 1);
  };
  const compare = async (): Promise<void> => {
    await vi.waitFor(() => expect(looks).not.toEqual([]), { timeout: 20_000 });
    looks.shift()?.();
  };
  const troupe = createTroupe({ environment, clock: { ...systemClock, after } });
  const elsewhere = createTroupe({ environment });
  const request = { workflow: "hello", inputs: {}, consent: "yes", cwd: house.cwd } as const;
  try {
    const changed = vi.fn();
    const end = troupe.as("token:mallory").watchRuns(changed);
    expect((await house.troupe(["run", "hello"], { TROUPE_TRUST: "1" }).ended).code).toBe(0);
    await compare();
    await (await elsewhere.as("token:mallory").run(request)).done;
    expect(changed).not.toHaveBeenCalled();
    await compare();
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 20_000 });
    end();
  } finally {
    await Promise.all([troupe.close(), elsewhere.close()]);
    await house.leave();
  }
});
