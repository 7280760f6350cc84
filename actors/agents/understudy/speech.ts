/**
 * Says a speech piece by piece.
 *
 * I1. Flat out, a piece costs one call and no promise; every `YIELD_EVERY` pieces the event loop gets its turn.
 * I2. At a rate, piece i is due i / rate seconds after the first: late wake-ups do not add up.
 * I3. After an abort nothing more is said.
 */
import { setImmediate } from "node:timers/promises";
import type { Pace } from "../../base/clock.ts";
import type { Speech } from "./action.ts";

export const YIELD_EVERY = 256;

/** Says all of it, or stops early when `signal` aborts. `fill` puts the prompt into a text. */
export async function speak(
  speech: Speech,
  fill: (text: string) => string,
  say: (piece: string) => void,
  clock: Pace,
  signal: AbortSignal,
): Promise<void> {
  const { length, piece } = piecesOf(speech, fill);
  const { rate } = speech;
  const start = rate === null ? 0 : clock.elapsed();
  let unbroken = 0;
  // A signal that is made of several looks at all of them whenever it is asked.
  let isOver = signal.aborted;
  const stop = (): void => {
    isOver = true;
  };
  signal.addEventListener("abort", stop);
  for (let i = 0; i < length && !isOver; i++) {
    const early = rate === null ? 0 : start + (i * 1000) / rate - clock.elapsed();
    if (early > 0) {
      unbroken = 0;
      await pause(clock, early, signal);
      if (isOver) break;
    }
    say(piece(i));
    if (++unbroken === YIELD_EVERY) {
      unbroken = 0;
      await setImmediate();
    }
  }
  signal.removeEventListener("abort", stop);
}

/** Sleeps; an abort ends the sleep and is no error. */
export async function pause(clock: Pace, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function piecesOf(
  speech: Speech,
  fill: (text: string) => string,
): { length: number; piece: (index: number) => string } {
  switch (speech.type) {
    case "generated":
      return { length: speech.count, piece: (index) => `tok${index} ` };
    case "text": {
      const parts = split(fill(speech.text), speech.chunks);
      return { length: parts.length * speech.repeat, piece: (index) => parts[index % parts.length] as string };
    }
    default:
      return speech satisfies never;
  }
}

/** At most `count` pieces of about one length, none empty, cut between characters. */
function split(text: string, count: number): string[] {
  if (text === "") return [];
  if (count === 1) return [text];
  const characters = [...text];
  const pieces = Math.min(count, characters.length);
  const cut = (index: number) => Math.floor((index * characters.length) / pieces);
  return Array.from({ length: pieces }, (_, index) => characters.slice(cut(index), cut(index + 1)).join(""));
}
