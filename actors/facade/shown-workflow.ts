/**
 * A workflow as it goes over a wire: others read it there than its file.
 *
 * I1. No secret that the file writes out is left, in any part of the answer (docs/decisions/0006-secrets.md).
 * I2. A file that cannot be read as a workflow shows what is wrong with it, and no text: what it writes out is not known.
 */
import type { Json } from "../../machines/model.ts";
import type { Validation } from "../api/records.ts";
import { isFields } from "../base/json.ts";
import { Masking } from "../masking/masking.ts";
import { SHOWN } from "../masking/words.ts";
import { learnWritten } from "../masking/written.ts";

/** The same, without the secrets that its file writes out. */
export function shownWorkflow(read: Validation): Validation {
  const { workflow } = read;
  if (workflow === null) return { ...read, source: "" };
  const mask = new Masking();
  learnWritten(mask, workflow);
  return masked(read as unknown as Json, mask) as unknown as Validation;
}

function masked(value: Json, mask: Masking): Json {
  if (typeof value === "string") return mask.text(value);
  if (typeof value === "number") return mask.text(String(value)) === String(value) ? value : SHOWN;
  if (Array.isArray(value)) return value.map((one) => masked(one, mask));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, masked(one as Json, mask)]));
}
