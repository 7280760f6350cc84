/** Owns the list of functions that expressions can call. */

import { own } from "../../../model.ts";
import type { Signature } from "./call.ts";
import { COLLECTION_FUNCTIONS } from "./collections.ts";
import { NUMBER_FUNCTIONS } from "./numbers.ts";
import { TEXT_FUNCTIONS } from "./texts.ts";

export type { Signature } from "./call.ts";

const FUNCTIONS = { ...TEXT_FUNCTIONS, ...NUMBER_FUNCTIONS, ...COLLECTION_FUNCTIONS };

export const FUNCTION_NAMES: readonly string[] = Object.keys(FUNCTIONS);

export function functionNamed(name: string): Signature | null {
  return own<Signature>(FUNCTIONS, name) ?? null;
}
