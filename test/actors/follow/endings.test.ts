/** Endings I2: who follows a session hears that another process has deleted it. */
import { expect, test } from "vitest";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { Endings } from "../../../actors/follow/endings.ts";
import type { Key } from "../../../machines/model.ts";

function stage(count: number) {
  const there = new Set(Array.from({ length: count }, (_, n): Key => `session/${n}`));
  const heard: string[] = [];
  let looked = 0;
  let due: (() => void)[] = [];
  const exists = (session: Key): boolean => {
    looked += 1;
    return there.has(session);
  };
  const after = (_: number, act: () => void) => {
    due.push(act);
    return () => undefined;
  };
  const endings = new Endings(exists, { after, elapsed: () => 0 });
  for (const session of there) endings.of(session, ({ code }) => heard.push(`${session} ${code}`));
  const pass = (): void => {
    const acts = due;
    due = [];
    for (const act of acts) act();
  };
  return { endings, there, heard, pass, looked: () => looked };
}

test("of few sessions each commit of another process is looked after at once", () => {
  const { endings, there, heard } = stage(4);
  there.delete("session/2");
  endings.look();
  expect(heard).toEqual(["session/2 USER.SESSION.UNKNOWN"]);
});

test("of many a hundred commits cost one look, and none is missed", () => {
  const { endings, there, heard, pass, looked } = stage(20);
  for (let n = 0; n < 100; n++) endings.look();
  there.delete("session/7");
  expect(looked()).toBe(0);
  pass();
  expect([looked(), heard]).toEqual([20, ["session/7 USER.SESSION.UNKNOWN"]]);
  endings.look();
  pass();
  expect([looked(), heard.length]).toEqual([39, 1]);
});

test("who hears of faults otherwise hears of the deletion alone, also behind a fault", () => {
  const { endings, there, heard } = stage(1);
  endings.of("session/0", ({ code }) => heard.push(`alone ${code}`), { ofFaults: false });
  endings.fault(new TroupeError("SYSTEM.IO.WRITE_FAILED", "full"), () => true);
  expect(heard.splice(0)).toEqual(["session/0 SYSTEM.IO.WRITE_FAILED"]);
  there.delete("session/0");
  endings.look();
  endings.look();
  expect(heard).toEqual(["alone USER.SESSION.UNKNOWN"]);
});
