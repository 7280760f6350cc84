/** The whole terminal, drawn again where it has lost what was drawn. */
import { expect, test } from "vitest";
import type { Canvas } from "../../../transports/cli/io.ts";
import { fullScreen } from "../../../transports/ui/painters.ts";

function stage() {
  const changes: (() => void)[] = [];
  let [written, rows] = ["", 10];
  const canvas: Canvas = {
    ...{ columns: () => 20, rows: () => rows, measure: () => undefined },
    write: (text) => {
      written += text;
    },
    onChange: (act) => {
      changes.push(act);
      return () => undefined;
    },
    ...{ onLeave: () => () => undefined, later: () => () => undefined },
  };
  const painter = fullScreen({ now: () => 0 } as never, canvas);
  painter.show(({ height }) => Array.from({ length: height }, (_, row) => `row ${row}`));
  painter.now();
  const after = (act: () => void): string => {
    written = "";
    act();
    return written;
  };
  const change = (to = rows): void => {
    rows = to;
    for (const act of changes) act();
  };
  return { painter, after, change };
}

test.each([
  ["lower", 5],
  ["higher", 15],
  ["the same, after a stop", 10],
])("a terminal that is %s shows every row", (_, rows) => {
  const { after, change } = stage();
  const written = after(() => change(rows));
  for (let row = 0; row < rows - 1; row++) expect(written).toContain(`row ${row}\r\n`);
});

test("everything is drawn when that is asked for, and nothing twice", () => {
  const { painter, after } = stage();
  expect(after(() => painter.now())).toBe("");
  expect(after(() => painter.anew()).match(/row 0/g)).toHaveLength(1);
});
