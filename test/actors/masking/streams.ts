/** Texts with secrets in them, and a mask that hears them in pieces. */
import fc from "fast-check";
import { CLOSE, OPEN } from "../../../actors/masking/mark.ts";
import { type Mask, Masking } from "../../../actors/masking/masking.ts";
import { disguises, SECRETS, spellings } from "./support.ts";

const named = Object.entries(SECRETS).map(([name, value]): [string, string] => [`env/${name}`, value]);
export const masking = () => new Masking(named);
/** Pieces that overlap, begin and break off secrets, and invented marks. */
export const piece = fc.oneof(
  fc.constantFrom(...Object.values(SECRETS), ...Object.values(SECRETS).flatMap(spellings)),
  fc.constantFrom(
    "ababab",
    "ab",
    "sk-canary",
    "x",
    "\n",
    OPEN,
    CLOSE,
    `${OPEN}env%2Fplain/0${CLOSE}`,
    `${OPEN}${CLOSE}`,
  ),
  fc.constantFrom(...[SECRETS.plain, SECRETS.odd].flatMap((value) => Object.values(disguises(value)))),
  fc.constantFrom("\r\n", "\u001b[0m", "\u001b", "\u001b[", "1m", "\n  ", '\\"', "\\n"),
  fc.string({ maxLength: 6 }),
);
export const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));

export const cut = (mask: Mask, whole: string, sizes: readonly number[]): string => {
  const stream = mask.stream();
  let out = "";
  let at = 0;
  for (let i = 0; at < whole.length; i++) {
    const size = Math.max(1, sizes[i % sizes.length] ?? 1);
    out += stream.push(whole.slice(at, at + size));
    at += size;
  }
  return out + stream.end();
};
