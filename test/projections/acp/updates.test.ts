/** Cards I1 and I2: a card's content is replaced at most four times a second, and its last state comes with its end. */
import { map } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { acpUpdates } from "../../../projections/acp/updates.ts";
import { brief, live, log, reader, say, stepEnded, stepStarted } from "./support.ts";

const output = (offset: number, text: string): Row =>
  say("tool.update", "r", "build", { block: "build@1.0", offset, text, stream: "stdout" });
const content = (text: string): string => `card: r/build ["\`\`\`\\n${text}\\n\`\`\`"]`;

test("the first output is shown at once, what follows after a quarter of a second", () => {
  const one = reader();
  one.push(log(stepStarted("r", "build", "command")));
  one.push([live(output(0, "a"))]);
  one.push([live(output(1, "b"))]);
  one.pass(249);
  expect(one.shown.map(brief)).toEqual([["card r/build build execute in_progress"], [content("a")]]);
  one.pass(1);
  expect(one.shown.slice(2).map(brief)).toEqual([[content("ab")]]);
  one.pass(10_000);
  expect(one.shown).toHaveLength(3);
});

test("a flood of output is at most four updates a second, and the last one says all", () => {
  const one = reader();
  one.push(log(stepStarted("r", "build", "command")));
  for (let i = 0; i < 1000; i++) {
    one.push([live(output(i, String(i % 10)))]);
    one.pass(2);
  }
  const updates = one.shown.flat().length - 1;
  one.push(log(stepEnded("r", "build", "command")));
  // Two seconds, from 0 to 2000 ms: 0, 250, 500 …
  expect(updates).toBe(9);
  const last = brief(one.shown.flat()).slice(-2);
  expect(last).toEqual([content("0123456789".repeat(100)), "card: r/build completed"]);
});

test("a card that ended has no held-back update left", () => {
  const one = reader();
  one.push(log(stepStarted("r", "build", "command")));
  one.push([live(output(0, "a"))]);
  one.push([live(output(1, "b"))]);
  one.push(log(stepEnded("r", "build", "command")));
  const before = one.shown.length;
  one.pass(10_000);
  expect(one.shown).toHaveLength(before);
});

test("a reader that left is shown nothing more", () => {
  const one = reader();
  one.push(log(stepStarted("r", "build", "command")));
  one.push([live(output(0, "a"))]);
  one.push([live(output(1, "b"))]);
  one.stop();
  const before = one.shown.length;
  one.pass(10_000);
  expect(one.shown).toHaveLength(before);
});

test("what is held back comes when it is due, between batches, and nothing comes behind the log's end", () => {
  const testScheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
  testScheduler.run(({ cold, expectObservable }) => {
    const batches = {
      a: log(stepStarted("r", "build", "command")),
      b: [live(output(0, "a"))],
      c: [live(output(1, "b"))],
      d: [live(output(2, "c"))],
    };
    const options = { scheduler: testScheduler, echoUser: () => false };
    const shown = (marbles: string) => cold(marbles, batches).pipe(acpUpdates(options), map(brief));
    const cards = {
      a: ["card r/build build execute in_progress"],
      b: [content("a")],
      c: [content("ab")],
      d: [content("abc")],
    };
    expectObservable(shown("abc 997ms |")).toBe("ab 249ms c 748ms |", cards);
    expectObservable(shown("abc 298ms d 600ms |")).toBe("ab 249ms c 249ms d 400ms |", cards);
    expectObservable(shown("abc|")).toBe("ab-|", cards);
  });
});
