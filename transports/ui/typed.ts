/** What is typed, without its last character: one beyond U+FFFF is two units, of which one half is no text. */
export const withoutLast = (typed: string): string => [...typed].slice(0, -1).join("");
