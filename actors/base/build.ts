/** What this program was built from. */

/** The bundler puts a word here that no other build has; sources that run as they are have none. */
declare const TROUPE_BUILD: string;

/** Null where the program was not built. */
export const build: string | null = typeof TROUPE_BUILD === "string" ? TROUPE_BUILD : null;
