import { describe, expect, it } from "vitest";
import type { Canvas, LineOptions } from "../../../../transports/cli/io.ts";
import { Live } from "../../../../transports/cli/screen/live.ts";
import { MiniTerminal } from "../../../support/mini-terminal.ts";
import { recordingIo } from "../io.ts";

/** A terminal whose clock a test moves. */
function stage() {
  const terminal = new MiniTerminal(40);
  let now = 0;
  let timers: { at: number; act: () => void }[] = [];
  let change = (): void => undefined;
  let leave = (): void => undefined;
  let [columns, measured] = [40, 40];
  const canvas: Canvas = {
    measure: () => {
      if (measured === columns) return;
      measured = columns;
      change();
    },
    columns: () => measured,
    rows: () => 20,
    write: (text) => terminal.write(text),
    onChange: (act) => {
      change = act;
      return () => undefined;
    },
    onLeave: (act) => {
      leave = act;
      return () => undefined;
    },
    later: (ms, act) => {
      const timer = { at: now + ms, act };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  };
  const pass = (ms: number): void => {
    for (const end = now + ms; ; ) {
      const next = timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) {
        now = end;
        return;
      }
      now = next.at;
      timers = timers.filter((one) => one !== next);
      next.act();
    }
  };
  /** The terminal is narrower, and nothing has said so yet. */
  const narrow = (to: number): void => {
    columns = to;
  };
  const answer = Promise.withResolvers<string | null>();
  const around: Pick<LineOptions, "shown"> = {};
  const readLine = (_: AbortSignal, { shown }: LineOptions = { hidden: false }) => {
    if (shown !== undefined) around.shown = shown;
    return answer.promise;
  };
  const io = recordingIo({ now: () => now, err: (text) => terminal.write(text), readLine });
  const live = new Live(io, canvas);
  return { terminal, live, pass, answer, around, change: () => change(), leave: () => leave(), narrow };
}

describe("Live", () => {
  it("draws as wide as the terminal is, also before it hears of that (I3)", () => {
    const { terminal, live, pass, narrow } = stage();
    live.show(({ width }) => [`${width} wide`]);
    pass(80);
    narrow(20);
    pass(1_000);
    expect(terminal.text()).toEqual(["19 wide"]);
    narrow(30);
    live.above("stays\n");
    live.end();
    expect(terminal.text()).toEqual(["stays"]);
  });
  it("draws what changed at most so often, and each second the time", () => {
    const { terminal, live, pass } = stage();
    for (let n = 0; n < 100; n++) live.show(({ now }) => [`n ${n} at ${now}`]);
    expect(terminal.writes).toBe(0);
    pass(80);
    expect([terminal.writes, terminal.text()]).toEqual([1, ["n 99 at 80"]]);
    pass(1_000);
    expect([terminal.writes, terminal.text()]).toEqual([2, ["n 99 at 1080"]]);
    live.end();
    expect([terminal.text(), terminal.cursor]).toEqual([[], true]);
    pass(10_000);
    expect(terminal.writes).toBe(3);
  });

  it("I1 keeps what is written above it, in its order", () => {
    const { terminal, live, pass } = stage();
    live.show(() => ["screen"]);
    pass(80);
    live.io.out("one\n");
    live.io.err("two\n");
    live.io.out("three\n");
    pass(80);
    expect(terminal.text()).toEqual(["one", "two", "three", "screen"]);
    live.io.out("four\n");
    live.end();
    expect(terminal.text()).toEqual(["one", "two", "three", "four"]);
  });

  it("I2 draws nothing while a question is asked, and continues when it was answered", async () => {
    const { terminal, live, pass, answer } = stage();
    live.show(() => ["screen"]);
    pass(80);
    live.io.err("? may it\n");
    const asked = live.io.readLine(new AbortController().signal);
    expect(terminal.cursor).toBe(true);
    live.io.out("meanwhile\n");
    live.show(() => ["new screen"]);
    pass(5_000);
    expect(terminal.text()).toEqual(["? may it", "meanwhile"]);
    answer.resolve("1");
    expect(await asked).toBe("1");
    pass(80);
    expect(terminal.text()).toEqual(["? may it", "meanwhile", "new screen"]);
  });

  it("I2 writes around a line that is typed", async () => {
    const { terminal, live, pass, answer, around } = stage();
    live.show(() => ["screen"]);
    pass(80);
    const asked = live.io.readLine(new AbortController().signal, { hidden: false });
    around.shown?.((write) => {
      terminal.write("[");
      write();
      terminal.write("]\n");
    });
    live.io.err("one\n");
    live.io.out("two\n");
    pass(80);
    answer.resolve("1");
    await asked;
    live.io.err("three\n");
    expect(terminal.text()).toEqual(["[one", "]", "[two", "]", "three"]);
  });

  it("is drawn anew after the process was stopped, and gives the cursor back when it ends", () => {
    const { terminal, live, pass, change, leave } = stage();
    live.show(() => ["screen"]);
    pass(80);
    leave();
    expect(terminal.cursor).toBe(true);
    change();
    expect([terminal.text(), terminal.cursor]).toEqual([["screen", "screen"], false]);
  });
});
