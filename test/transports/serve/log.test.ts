/** Covers `log.ts`, what it writes and when; its levels and formats stand in `operators.test.ts`. */
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTurns } from "../../../transports/serve/log.ts";

test("what one turn says is written once, after it, in order (I2)", async () => {
  const written: string[] = [];
  const write = inTurns((text) => void written.push(text));
  write("one\n");
  write("two\n");
  expect(written).toEqual([]);
  await turn();
  expect(written).toEqual(["one\ntwo\n"]);
  write("three\n");
  await turn();
  await turn();
  expect(written).toEqual(["one\ntwo\n", "three\n"]);
});

test("a process that ends has written all, once (I2)", async () => {
  const written: string[] = [];
  const others = process.listeners("exit");
  const write = inTurns((text) => void written.push(text));
  write("last words\n");
  const [atExit] = process.listeners("exit").filter((each) => !others.includes(each));
  atExit?.(0);
  expect(written).toEqual(["last words\n"]);
  await turn();
  expect(written).toEqual(["last words\n"]);
  expect(process.listeners("exit")).toEqual(others);
});
