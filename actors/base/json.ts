/** Reads JSON of any shape: a field of another type counts as missing. */
import { type Json, own } from "../../machines/model.ts";

export type Fields = { readonly [name: string]: Json };

export const isFields = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const fieldsOf = (value: Json | undefined): Fields => (isFields(value) ? value : {});
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

export const fieldsAt = (from: Fields, name: string): Fields => fieldsOf(own(from, name));
export const listAt = (from: Fields, name: string): readonly Json[] => listOf(own(from, name));

export function textAt(from: Fields, name: string): string | null {
  const value = own(from, name);
  return typeof value === "string" ? value : null;
}

export function numberAt(from: Fields, name: string): number | null {
  const value = own(from, name);
  return typeof value === "number" ? value : null;
}

/** The line as JSON, or null where it is none. */
export function parsed(line: string): Json | null {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return null;
  }
}
