/** A process that serves step after step, with the eyes of the garbage collector. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { place } from "./support.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

test("holds nothing of the steps that it has served", async () => {
  const { turn } = place();
  const steps: WeakRef<object>[] = [];
  const step = async (): Promise<void> => {
    const memory = { read: async () => [], add: async () => undefined };
    steps.push(new WeakRef(memory));
    await turn("say a", { memory });
  };
  for (let at = 0; at < 6; at++) await step();
  const held = (): number => {
    collect();
    return steps.filter((one) => one.deref() !== undefined).length;
  };
  await expect.poll(held, { timeout: 10_000 }).toBeLessThan(3);
});
