/**
 * What a message repeats of something that was given as a name: only what is plainly one. Anything else may be a secret
 * that stands in the wrong place.
 */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

export const isPlainName = (given: string): boolean => NAME.test(given);

/** `"name"`, also `"pack/name"`; else `what you gave`. */
export const repeated = (given: string): string => {
  const parts = given.split("/");
  return parts.length <= 2 && parts.every(isPlainName) ? `"${given}"` : "what you gave";
};
