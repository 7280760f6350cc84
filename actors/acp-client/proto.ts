/** A key `__proto__` in a text of JSON: whoever reads the text as an object would lose it in silence. */

/** The name as a key, in its characters or in their codes. */
const PROTO =
  /"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/;

export const NO_PROTO = "no field is called __proto__";

/** Whether JSON text has such a field, at any depth. */
export const namesProto = (text: string): boolean => PROTO.test(text);
