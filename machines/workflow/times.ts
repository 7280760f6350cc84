/** Times as templates and conditions show them. */

/** Milliseconds since the epoch as RFC 3339, whole seconds. */
export const rfc3339 = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
