/**
 * Plain words: texts that mean themselves wherever they are spliced into a shell's line or another program's text.
 * Letters, digits and `_ - . / : @ , + = %`; no blank, quote, bracket or sign that any of these languages reads.
 */
const PLAIN = /^[\p{L}\p{N}_./:@,+=%-]*$/u;

export const PLAIN_CHARACTERS = "letters, digits, _ - . / : @ , + = %";

/** True for a plain word; the empty text is one. */
export const isPlainWord = (text: string): boolean => PLAIN.test(text);

/** One shell word; single-quoted unless it means itself. */
export const quotedWord = (text: string): string =>
  text !== "" && isPlainWord(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
