/** Directories that a user has trusted, as they are listed and taken back. */

/** `at`: milliseconds since the epoch. */
export type Trusted = { cwd: string; at: number };
/** `above`: a directory above it that is trusted, so that it is trusted all the same. */
export type Revoked = { cwd: string; above: string | null };
