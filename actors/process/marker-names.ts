/**
 * The names of the two marker variables, see `marker.ts`.
 */

/** Names the Troupe process that a child belongs to, see `encodeIdentity`. */
export const MARKER_VARIABLE = "TROUPE_OWNER";
/** Names the one attempt that a child belongs to. */
export const SCOPE_VARIABLE = "TROUPE_SCOPE";
