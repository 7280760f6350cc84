/**
 * Where the UI is drawn: on the whole terminal, which is given back as it was, or as plain lines for a screen reader,
 * which only says what has changed.
 */
import type { Canvas, Io } from "../cli/io.ts";
import { Live, type View } from "../cli/screen/live.ts";

const ESC = "\u001b[";
/** The mouse's buttons and wheel, as SGR reports; its moves are not asked for. */
const [MOUSE_ON, MOUSE_OFF] = [`${ESC}?1000h${ESC}?1006h`, `${ESC}?1006l${ESC}?1000l`];
/** A terminal says where a paste begins and ends. */
const [PASTE_ON, PASTE_OFF] = [`${ESC}?2004h`, `${ESC}?2004l`];
const [ENTER, LEAVE] = [
  `${ESC}?1049h${MOUSE_ON}${PASTE_ON}${ESC}H${ESC}J`,
  `${PASTE_OFF}${MOUSE_OFF}${ESC}?1049l${ESC}?25h`,
];
/** Milliseconds between two readings. */
const PLAIN_MS = 1_000;
/** What passes by itself is not news. */
const TIMES = /\b\d+h \d+m\b|\b\d+m \d+s\b|\b\d+ms\b|\b\d+\.\d+s\b|\b\d+s\b|\b\d+[mhd] ago\b|just now/g;

/** `now`: what changed is shown without delay, where that does not disturb. `anew`: all of it, also what has not changed. */
export type Painter = { show(view: View): void; now(): void; anew(): void; end(): void };

export function fullScreen(io: Io, canvas: Canvas): Painter {
  canvas.write(ENTER);
  const unleave = canvas.onLeave(() => canvas.write(LEAVE));
  const anew = (): void => {
    canvas.write(ENTER);
    live.anew();
  };
  const unchange = canvas.onChange(anew);
  const live = new Live(io, canvas);
  return {
    show: (view) => live.show(view),
    now: () => live.now(),
    anew,
    end: () => {
      live.end();
      unleave();
      unchange();
      canvas.write(LEAVE);
    },
  };
}

export function plainLines(io: Pick<Io, "now">, canvas: Canvas): Painter {
  canvas.write(PASTE_ON);
  const unleave = canvas.onLeave(() => canvas.write(PASTE_OFF));
  const unchange = canvas.onChange(() => canvas.write(PASTE_ON));
  let said = new Set<string>();
  let waits: (() => void) | null = null;
  let shown: View | null = null;
  const say = (): void => {
    waits = null;
    const lines = shown?.({ width: canvas.columns() - 1, height: canvas.rows() - 1, now: io.now() }) ?? [];
    const isNew = (line: string): boolean => line.trim() !== "" && !said.has(line.replace(TIMES, ""));
    const text = lines.filter(isNew).map((line) => `${line}\n`);
    said = new Set(lines.map((line) => line.replace(TIMES, "")));
    canvas.write(text.join(""));
  };
  return {
    show: (view) => {
      shown = view;
      waits ??= canvas.later(PLAIN_MS, say);
    },
    now: () => undefined,
    anew: () => {
      said = new Set();
      waits ??= canvas.later(PLAIN_MS, say);
    },
    end: () => {
      waits?.();
      say();
      unleave();
      unchange();
      canvas.write(PASTE_OFF);
    },
  };
}
