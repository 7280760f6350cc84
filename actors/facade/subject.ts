/** What stands before the name of a token, as servers name principals. */
const TOKEN = "token:";

/** The name of a principal's token; undefined for the user of this machine. */
export const subjectOf = (principal: string): string | undefined =>
  principal.startsWith(TOKEN) ? principal.slice(TOKEN.length) : undefined;
