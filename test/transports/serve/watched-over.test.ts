/** Covers I2 of `watched-over.ts`: when the store's files are looked at. */
import { expect, test } from "vitest";
import type { Troupe } from "../../../actors/troupe.ts";
import { WatchedOver } from "../../../transports/serve/watched-over.ts";

/** The look finds a fault there. */
const NO_PLACE = { TROUPE_HOME: "here" };

async function watching(): Promise<{ watch: WatchedOver; seen: string[]; open: () => Promise<Troupe> }> {
  const seen: string[] = [];
  const watch = new WatchedOver("0", (line, level) => {
    if (level === "error") seen.push(line);
  });
  await watch.numbers(); // they are waited for too
  const open = async (): Promise<Troupe> => {
    seen.push("opened");
    return {} as Troupe;
  };
  return { watch, seen, open };
}
const FAULT = 'TROUPE_HOME must be an absolute path, not "here"';

test("who opens the store waits until its files were looked at (I2)", async () => {
  const { watch, seen, open } = await watching();
  const looking = watch.look(NO_PLACE);
  await Promise.all([looking, watch.opened(open)]);
  expect(seen).toEqual([FAULT, "opened"]);
});

test("a store that is being opened is not looked at (I2)", async () => {
  const { watch, seen, open } = await watching();
  const opening = watch.opened(open);
  await watch.look(NO_PLACE);
  await opening;
  expect(seen).toEqual(["opened"]);
});
