/**
 * Words that stand alone where a person reads them: where they begin with a word, and not with a name or a place, that
 * is a capital. What an error says begins small, since it stands behind a code or a colon elsewhere.
 */
export const sentence = (text: string): string =>
  /^[a-z]+ /.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
