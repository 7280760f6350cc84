/** A house with workflows that start by themselves, anew for each test of the file that takes it from here. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { systemClock } from "../../actors/base/clock.ts";
import { createTroupe, type ScheduleNews, type Schedules, type Troupe } from "../../actors/troupe.ts";
import { type House, openHouse } from "../support/house.ts";

export let house: House;
let troupes: Troupe[];
beforeEach(() => {
  house = openHouse([]);
  troupes = [];
});
afterEach(async () => {
  await Promise.all(troupes.map((one) => one.close()));
  await house.leave();
});

export const fileOf = (name: string): string => join(house.cwd, ".troupe", "workflows", name);
export const workflow = (name: string, on: string, step: string, inputs = ""): void =>
  writeFileSync(
    fileOf(`${name}.yaml`),
    `name: ${name}\ninputs: [${inputs}]\non: ${on}\nstates:\n  initial: say\n  say: {type: command, ${step}, on_success: done}\n  done: {type: terminal}\n`,
  );
export const MINUTELY = '{schedule: "* * * * *"}';
/** A clock that is set to just before the next minute when a test says so: no test waits for one. */
export function settable() {
  let offset = 0;
  const now = (): number => Date.now() + offset;
  const near = (ms: number): void => {
    offset += Math.max(0, 60_000 - (now() % 60_000) - ms);
  };
  return { ...systemClock, now, near };
}
/** A facade over the house, with its own clock where one is given. */
export async function opened(
  clock = systemClock,
  env: { [name: string]: string } = {},
): Promise<Schedules & { troupe: Troupe }> {
  const troupe = createTroupe({ environment: { ...house.env, ...env }, clock });
  troupes.push(troupe);
  return { ...(await troupe.schedules()), troupe };
}
/** What is told until `last` is. */
export async function served(schedules: Schedules, last: (news: ScheduleNews) => boolean) {
  const all: ScheduleNews[] = [];
  const told = Promise.withResolvers<void>();
  const stop = await schedules.serve((news) => {
    all.push(news);
    if (last(news)) told.resolve();
  });
  return { all, told: told.promise, stop };
}

export const words = (all: readonly ScheduleNews[]): string[] =>
  all.map((one) => (one.type === "deed" ? one.deed.type : one.type === "off" ? `off: ${one.off.why}` : one.type));
