/**
 * NUL bytes of a program's output, which is text from here on: JSON would store six bytes for each, and no variable or
 * argument of another program could hold one.
 *
 * I1. A run of them, of any length, is one `␀`, however the output was cut. All other text is the same object.
 */
const NUL = "\0";
const PICTURE = "\u2400";
const RUNS = /\0+/g;

/** Replaces the NULs of one stream of text. */
export class Nuls {
  #isInRun = false;

  shown(text: string): string {
    if (text === "") return text;
    const goesOn = this.#isInRun && text.startsWith(NUL);
    this.#isInRun = text.endsWith(NUL);
    if (!text.includes(NUL)) return text;
    const shown = text.replace(RUNS, PICTURE);
    return goesOn ? shown.slice(PICTURE.length) : shown;
  }
}
