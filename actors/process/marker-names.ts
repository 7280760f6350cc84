/**
 * The names of the marker variables, see `marker.ts`.
 */

/** Names the Troupe process that a child belongs to, see `encodeIdentity`. */
export const MARKER_VARIABLE = "TROUPE_OWNER";
/** Names the one attempt that a child belongs to. */
export const SCOPE_VARIABLE = "TROUPE_SCOPE";
/** Says how many programs of Troupe stand above a child, each started by a step of the one before. */
export const DEPTH_VARIABLE = "TROUPE_DEPTH";
