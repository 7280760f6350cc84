/** Directories that a user has trusted, as they are listed and taken back. */

/** `at`: milliseconds since the epoch. */
export type Trusted = { cwd: string; at: number };
/** `above`: a directory above it that is trusted, so that it is trusted all the same. */
/** `agents`: how many agents no longer start there, or below, without a question. */
export type Revoked = { cwd: string; above: string | null; agents?: number };
