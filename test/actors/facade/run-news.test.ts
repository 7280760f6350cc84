/** Covers `run-news.ts`: what a principal hears of what other processes have written. */
import { expect, test, vi } from "vitest";
import { RunNews, watchRuns } from "../../../actors/facade/run-news.ts";
import type { RunQuery } from "../../../actors/host/reads.ts";
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
