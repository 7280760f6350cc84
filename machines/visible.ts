/**
 * Text for people in which nothing is invisible: what has no width, turns the direction of writing, steers a screen or
 * looks like nothing is written out, `\u202e`. Whatever Troupe composes for a face goes through here; data (a step's
 * output, an agent's words, JSON of the API) does not.
 *
 * I1. One table, for all faces. A newline and a tab are seen.
 * I2. What joins an emoji or the letters of a word, in a script that joins, is seen by what it joins: it stays.
 */

/** I2: the parts of an emoji, and joiners inside of words of Arabic, Persian and the scripts of India. */
const JOINS = [
  String.raw`(?<=\p{Extended_Pictographic})\ufe0f`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
  ...[
    ...["Arabic", "Syriac", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada"],
    ...["Malayalam", "Sinhala"],
  ].map((script) => String.raw`(?<=\p{Script=${script}})[\u200c\u200d](?=\p{Script=${script}})`),
].join("|");
/** Controls, what Unicode calls format and ignorable, its ends of line and paragraph, and the empty Braille pattern. */
const UNSEEN = String.raw`[^\P{Cc}\n\t]|\p{Cf}|\p{Default_Ignorable_Code_Point}|[\p{Zl}\p{Zp}\u2800]`;
/** Of this all is seen. Most texts are of nothing else, and for those the table, which takes a while to make, is none. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;
let table: RegExp | undefined;

const asUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;

function escaped(one: string): string {
  const code = one.codePointAt(0) ?? 0;
  return code <= 0xffff ? asUnit(code) : `\\u{${code.toString(16)}}`;
}

/** The text with every character that cannot be seen written by `write`. */
export function writeUnseen(text: string, write: (one: string) => string): string {
  if (PLAIN.test(text)) return text;
  table ??= new RegExp(`${JOINS}|(${UNSEEN})`, "gu");
  return text.replace(table, (one, unseen: string | undefined) => (unseen === undefined ? one : write(one)));
}

/** The text with what cannot be seen as escapes; its lines and tabs stay. */
export const visible = (text: string): string => writeUnseen(text, escaped);

/** The same on one line: white space of any kind and length is one space. */
export const visibleLine = (text: string): string => visible(text.replace(/[\t-\r\p{Zs}]+/gu, " ").trim());

/** JSON with the same value in which every character is seen. */
export const visibleJson = (json: string): string =>
  writeUnseen(json, (one) => Array.from({ length: one.length }, (_, at) => asUnit(one.charCodeAt(at))).join(""));
