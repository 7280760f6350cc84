/** Covers `unwritten.ts`: what a server's log says of a store that cannot be written. */
import { expect, test } from "vitest";
import { Unwritten } from "../../../transports/serve/unwritten.ts";
import { ManualClock } from "../../support/manual-clock.ts";

const FULL = { code: "SYSTEM.IO.WRITE_FAILED", message: "full" };
function stage() {
  const said: string[] = [];
  const clock = new ManualClock();
  const unwritten = new Unwritten(
    (message, level = "info", about = {}) => void said.push([level, message, ...Object.values(about)].join(" ")),
    clock,
  );
  const after = (ms: number) => {
    clock.advance(ms);
    return unwritten;
  };
  return { after, said };
}
const TOLD = "error full SYSTEM.IO.WRITE_FAILED";

test("it is said once, and again after a minute (I1)", () => {
  const { after, said } = stage();
  for (let second = 0; second < 60; second++) after(1_000).failed(FULL);
  expect(said).toEqual([TOLD]);
  after(1_000).failed(FULL);
  expect(said).toEqual([TOLD, TOLD]);
  after(1_000).failed({ code: "SYSTEM.STORE.MOVED", message: "gone" });
  expect(said.at(-1)).toBe("error gone SYSTEM.STORE.MOVED");
});

test("two faults that come by turns are two lines a minute (I1)", () => {
  const { after, said } = stage();
  const busy = { code: "SYSTEM.STORE.BUSY", message: "busy" };
  for (let second = 0; second < 60; second++) after(1_000).failed(second % 2 === 0 ? FULL : busy);
  expect(said).toEqual([TOLD, "error busy SYSTEM.STORE.BUSY"]);
});

test("what is written in between ends nothing, what is written later does (I2)", () => {
  const { after, said } = stage();
  after(0).written();
  after(0).failed(FULL);
  after(9_999).written();
  after(0).failed(FULL);
  after(9_999).written();
  expect(said).toEqual([TOLD]);
  after(1).written();
  after(0).written();
  expect(said).toEqual([TOLD, "info the log can be written again"]);
  after(0).failed(FULL);
  expect(said).toHaveLength(3);
});

test("that it is over is said a while later, also where nothing more is written (I2)", () => {
  const { after, said } = stage();
  after(0).failed(FULL);
  after(1_000).written();
  after(8_999).written();
  expect(said).toEqual([TOLD]);
  after(1);
  expect(said).toEqual([TOLD, "info the log can be written again"]);
  after(60_000).written();
  expect(said).toHaveLength(2);
  expect(after(0).failures).toBe(1);
});

test("what keeps it from being written is known until a while after the last failure", () => {
  const { after } = stage();
  expect(after(0).fault).toBe(null);
  after(0).failed(FULL);
  expect(after(9_999).fault).toEqual(FULL);
  expect(after(1).fault).toBe(null);
});
