/** Colours of our own, put around text that is already safe. Without colours everything stays as it is. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
export type Paint = { readonly [colour in keyof typeof CODES]: (text: string) => string };

const painter =
  ([on, off]: readonly [number, number]) =>
  (text: string): string =>
    text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`;
const plain = (text: string): string => text;

const COLOURED: Paint = {
  bold: painter(CODES.bold),
  dim: painter(CODES.dim),
  inverse: painter(CODES.inverse),
  red: painter(CODES.red),
  green: painter(CODES.green),
  yellow: painter(CODES.yellow),
  cyan: painter(CODES.cyan),
};
const PLAIN: Paint = { bold: plain, dim: plain, inverse: plain, red: plain, green: plain, yellow: plain, cyan: plain };

export const paint = (colours: boolean): Paint => (colours ? COLOURED : PLAIN);
