/** Values as TOML writes them. */

export type Toml = string | boolean | readonly string[] | { readonly [key: string]: Toml };

/** On one line, tables inline. */
export function toml(value: Toml): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return String(value);
  if (isList(value)) return `[${value.map(quoted).join(", ")}]`;
  const fields = Object.entries(value).map(([key, one]) => `${quoted(key)} = ${toml(one)}`);
  return `{ ${fields.join(", ")} }`;
}

const isList = (value: Toml): value is readonly string[] => Array.isArray(value);

// JSON's strings are TOML's, but for what TOML does not allow bare: DEL, and half of a surrogate pair.
const quoted = (text: string): string => JSON.stringify(text.toWellFormed()).replaceAll("\u007f", "\\u007F");
