import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Canvas } from "../../../../transports/cli/io.ts";
import { Region } from "../../../../transports/cli/screen/region.ts";
import { MiniTerminal } from "../../../support/mini-terminal.ts";

const canvasOn = (terminal: MiniTerminal, columns = () => 20): Canvas => ({
  columns,
  rows: () => 100,
  write: (text) => terminal.write(text),
  onChange: () => () => undefined,
  measure: () => undefined,
  onLeave: () => () => undefined,
  later: () => () => undefined,
});

describe("Region", () => {
  it("I1 shows what was written above and the last lines, whatever was drawn before", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "b", " ", "é"), maxLength: 19 });
    const draw = fc.record({ above: fc.array(line, { maxLength: 2 }), lines: fc.array(line, { maxLength: 6 }) });
    fc.assert(
      fc.property(fc.array(draw), (draws) => {
        const terminal = new MiniTerminal(20);
        const region = new Region(canvasOn(terminal));
        const stays: string[] = [];
        for (const { above, lines } of draws) {
          region.draw(above.map((one) => `${one}\n`).join(""), lines);
          stays.push(...above);
          const whole = [...stays, ...lines].map((one) => one.trimEnd());
          while (whole.at(-1) === "") whole.pop();
          expect(terminal.text()).toEqual(whole);
        }
      }),
    );
  });

  it("I3 leaves nothing behind in a terminal that becomes narrower", () => {
    const draw = fc.array(fc.nat({ max: 19 }), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(draw, { minLength: 1 }), fc.integer({ min: 4, max: 19 }), draw, (wide, narrow, last) => {
        let columns = 20;
        const terminal = new MiniTerminal(columns);
        const region = new Region(canvasOn(terminal, () => columns));
        for (const lengths of wide)
          region.draw(
            "",
            lengths.map((length) => "a".repeat(length)),
          );
        columns = narrow;
        terminal.narrow(columns);
        const lines = last.map((length) => "b".repeat(Math.min(length, columns - 1)));
        region.draw("", lines);
        while (lines.at(-1) === "") lines.pop();
        expect(terminal.text()).toEqual(lines);
      }),
    );
  });

  it("I3 draws all of it where the terminal has become lower or higher", () => {
    const written: string[] = [];
    let rows = 100;
    const canvas = { ...canvasOn(new MiniTerminal(20)), rows: () => rows };
    const region = new Region({ ...canvas, write: (text) => void written.push(text) });
    region.draw("", ["one", "two"]);
    for (rows of [50, 120]) region.draw("", ["one", "TWO"]);
    for (const text of written.slice(1)) expect(text).toContain("one\r\nTWO\r\n");
    expect(written.length).toBe(3);
  });

  it("I1 writes only what changed, once", () => {
    const written: string[] = [];
    const region = new Region({ ...canvasOn(new MiniTerminal(20)), write: (text) => void written.push(text) });
    region.draw("", ["one", "two", "three"]);
    region.draw("", ["one", "two", "three"]);
    region.draw("", ["one", "TWO", "three"]);
    expect(written.length).toBe(2);
    expect(written[1]).toBe("\u001b[?2026h\u001b[2A\r\u001b[2KTWO\r\n\r\n\u001b[?2026l");
  });

  it("I2 hides the cursor while it is drawn, and shows it again", () => {
    const terminal = new MiniTerminal(20);
    const region = new Region(canvasOn(terminal));
    region.draw("", ["one"]);
    expect(terminal.cursor).toBe(false);
    region.erase("above\n");
    expect([terminal.cursor, terminal.text()]).toEqual([true, ["above"]]);
    region.draw("", ["two"]);
    region.leave();
    expect([terminal.cursor, terminal.text()]).toEqual([true, ["above", "two"]]);
  });
});
