import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Speech } from "../../../../actors/agents/understudy/action.ts";
import { speak, YIELD_EVERY } from "../../../../actors/agents/understudy/speech.ts";
import { passingClock, standingClock } from "./support.ts";

const text = (over: Partial<Extract<Speech, { type: "text" }>>): Speech => ({
  type: "text",
  text: "",
  chunks: 1,
  repeat: 1,
  rate: null,
  ...over,
});
const same = (source: string) => source;
const live = () => new AbortController().signal;

async function pieces(speech: Speech): Promise<string[]> {
  const said: string[] = [];
  await speak(speech, same, (piece) => said.push(piece), passingClock(), live());
  return said;
}

describe(speak, () => {
  test.each<[Speech, string[]]>([
    [text({ text: "Hello" }), ["Hello"]],
    [text({ text: "Hello", chunks: 2 }), ["He", "llo"]],
    [text({ text: "ab", chunks: 5 }), ["a", "b"]],
    [text({ text: "a😀b😀", chunks: 2, repeat: 2 }), ["a😀", "b😀", "a😀", "b😀"]],
    [text({ text: "", chunks: 3, repeat: 3 }), []],
    [{ type: "generated", count: 3, rate: null }, ["tok0 ", "tok1 ", "tok2 "]],
    [{ type: "generated", count: 0, rate: null }, []],
  ])("%j", async (speech, expected) => {
    expect(await pieces(speech)).toEqual(expected);
  });

  test("pieces join to the text, none is empty, none breaks a character", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 40 }), async (source, chunks) => {
        const said = await pieces(text({ text: source, chunks }));
        expect(said.join("")).toBe(source);
        expect(said.every((piece) => piece !== "" && piece.isWellFormed())).toBe(true);
        expect(said.length).toBe(Math.min(chunks, [...source].length));
      }),
    );
  });

  test("I2: at a rate, each piece comes when it is due", async () => {
    const clock = passingClock();
    const said: [number, string][] = [];
    await speak(
      { type: "generated", count: 4, rate: 4 },
      same,
      (piece) => said.push([clock.elapsed(), piece]),
      clock,
      live(),
    );
    expect(said).toEqual([
      [0, "tok0 "],
      [250, "tok1 "],
      [500, "tok2 "],
      [750, "tok3 "],
    ]);
  });

  test("I2: a late wake-up is made up for", async () => {
    const clock = passingClock();
    const late = { ...clock, sleep: (ms: number, signal: AbortSignal) => clock.sleep(ms + 150, signal) };
    const said: number[] = [];
    await speak({ type: "generated", count: 6, rate: 10 }, same, () => said.push(clock.elapsed()), late, live());
    expect(said).toEqual([0, 250, 250, 450, 450, 650]);
  });

  test("I1: flat out, the loop gets its turn after every 256 pieces, and nothing sleeps", async () => {
    const clock = passingClock();
    const said: string[] = [];
    const seen: number[] = [];
    const look = () => {
      seen.push(said.length);
      if (said.length < 2 * YIELD_EVERY + 10) setImmediate(look);
    };
    setImmediate(look);
    const done = speak(
      { type: "generated", count: 2 * YIELD_EVERY + 10, rate: null },
      same,
      (piece) => said.push(piece),
      clock,
      live(),
    );
    await done;
    expect(seen.slice(0, 2)).toEqual([YIELD_EVERY, 2 * YIELD_EVERY]);
    expect(said).toEqual(Array.from({ length: 2 * YIELD_EVERY + 10 }, (_, i) => `tok${i} `));
    expect(clock.slept).toEqual([]);
  });

  test("I3: an abort between two pieces is the end", async () => {
    const abort = new AbortController();
    const said: string[] = [];
    const say = (piece: string) => {
      said.push(piece);
      if (said.length === 3) abort.abort();
    };
    await speak({ type: "generated", count: 1000, rate: null }, same, say, passingClock(), abort.signal);
    expect(said).toEqual(["tok0 ", "tok1 ", "tok2 "]);
  });

  test("I3: an abort ends the sleep between two pieces", async () => {
    const abort = new AbortController();
    const clock = standingClock();
    const said: string[] = [];
    const done = speak(
      { type: "generated", count: 9, rate: 2 },
      same,
      (piece) => said.push(piece),
      clock,
      abort.signal,
    );
    expect(await clock.asleep).toBe(500);
    abort.abort();
    await done;
    expect(said).toEqual(["tok0 "]);
  });

  test("a broken clock is not taken for an abort", async () => {
    const clock = { elapsed: () => 0, sleep: () => Promise.reject(new Error("no timers")) };
    await expect(speak({ type: "generated", count: 2, rate: 1 }, same, () => {}, clock, live())).rejects.toThrow(
      "no timers",
    );
  });
});
