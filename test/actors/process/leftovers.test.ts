import { describe, expect, it } from "vitest";
import { systemClock } from "../../../actors/base/clock.ts";
import { hasLeftovers } from "../../../actors/process/leftovers.ts";
import type { ProcessRow } from "../../../actors/process/process-row.ts";
import { familyOf } from "../../../actors/process/process-tree.ts";
import { SHORT_LIFE_MS, StartedPids } from "../../../actors/process/started-pids.ts";
import { row } from "./support.ts";

const CHILD = 100;
const ours = row({ pid: 105, scope: "s" });
const blank = row({ pid: 105, blank: true });
const stranger = row({ pid: 101 });

async function play(livedMs: number, looks: ProcessRow[][], lastPids: (number | null)[]) {
  const asked: (readonly number[] | null)[] = [];
  const family = familyOf(CHILD, { TROUPE_SCOPE: "s" }, (pids) => {
    asked.push(pids);
    return looks.shift() ?? [];
  });
  family.childGone = true;
  const found = await hasLeftovers(family, livedMs, systemClock, () => lastPids.shift() ?? null);
  return { found, asked };
}

describe("hasLeftovers", () => {
  it("looks at everything after a long life (I1)", async () => {
    expect(await play(SHORT_LIFE_MS, [[ours]], [CHILD])).toEqual({ found: true, asked: [null] });
    expect(await play(SHORT_LIFE_MS, [[stranger]], [CHILD])).toEqual({ found: false, asked: [null] });
  });

  it("looks at everything where the last pid is not told", async () => {
    expect(await play(1, [[ours]], [null])).toEqual({ found: true, asked: [null] });
  });

  it.runIf(process.platform === "linux")("looks at no process after a child that started nothing", async () => {
    expect(await play(1, [[ours]], [CHILD])).toEqual({ found: false, asked: [] });
  });

  it.runIf(process.platform === "linux")(
    "looks at later pids, and at those given out during the look (I3)",
    async () => {
      const found = await play(1, [[stranger], [ours]], [CHILD + 1, CHILD + 3]);
      expect(found).toEqual({ found: true, asked: [[101], [102, 103]] });
      const none = await play(1, [[stranger], []], [CHILD + 1, CHILD + 3, CHILD + 3]);
      expect(none).toEqual({ found: false, asked: [[101], [102, 103]] });
    },
  );

  it.runIf(process.platform === "linux")("looks at no other child of ours, but at all beside it (I4)", async () => {
    let now = 1_000;
    const clock = { ...systemClock, elapsed: () => now };
    const started = new StartedPids();
    started.note(CHILD + 1, 899);
    started.note(CHILD + 2, 950);
    const family = familyOf(CHILD, {}, (pids) => (pids ?? []).map((pid) => row({ pid, pgid: 1 })));
    const asked: (readonly number[] | null)[] = [];
    const look = async (livedMs: number) => {
      asked.length = 0;
      const watched = { ...family, look: (pids: readonly number[] | null) => asked.push(pids) && family.look(pids) };
      await hasLeftovers(watched as typeof family, livedMs, clock, () => CHILD + 3, started);
      return asked[0];
    };
    // The first was started before this child: its number may have been given again.
    expect(await look(100)).toEqual([CHILD + 1, CHILD + 3]);
    expect(await look(110)).toEqual([CHILD + 3]);
    now = 950 + SHORT_LIFE_MS + 1;
    expect(await look(SHORT_LIFE_MS - 1)).toEqual([CHILD + 1, CHILD + 2, CHILD + 3]);
  });

  it("looks again while a process is inside exec (I2)", async () => {
    expect(await play(SHORT_LIFE_MS, [[blank], [ours]], [])).toEqual({ found: true, asked: [null, null] });
  });

  it("gives up on a process that never leaves exec", async () => {
    const { found, asked } = await play(
      SHORT_LIFE_MS,
      Array.from({ length: 100 }, () => [blank]),
      [],
    );
    expect([found, asked.length]).toEqual([false, 50]);
  });
});
