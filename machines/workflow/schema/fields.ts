/**
 * The building blocks of field schemas. The `error` of each says what is expected, in words that complete
 * "must be …"; `.describe()` is what an editor shows.
 */
import { z } from "zod";
import { DURATION_PATTERN } from "../duration.ts";

/** An absent field and a `null` are the same. */
export const opt = <T extends z.ZodType>(schema: T) => schema.nullish();

/** Text; numbers and booleans are taken as they are written (`version: 1.0`). */
export const text = () => z.union([z.string(), z.number(), z.boolean()], { error: "text" });
export const stateName = () => z.string({ error: "the name of a state" }).min(1, { error: "the name of a state" });
const YES_NO = ["yes", "no", "on", "off", "Yes", "No", "On", "Off", "YES", "NO", "ON", "OFF", "true", "false"] as const;
export const flag = () => z.union([z.boolean(), z.enum(YES_NO)], { error: "true or false" });
const MEMBER = "the name of a state that stands under states";
/** What a list of states, or of texts, and what all states must be. */
export const NAMES = "a list of names of states that stand under states";
export const TEXTS = "a list of texts";
export const STATES = "a map of states by name, with initial: the name of the first";
export const names = () => z.array(z.string({ error: MEMBER }).min(1, { error: MEMBER }), { error: NAMES });
export const texts = () => z.array(text(), { error: TEXTS });
export const count = (least: number) => {
  const error = least === 0 ? "a whole number, 0 or more" : `a whole number, ${least} or more`;
  return z.int({ error }).min(least, { error });
};
export const number = (least: number, most = Number.MAX_VALUE) => {
  const error = most === Number.MAX_VALUE ? `a number, ${least} or more` : `a number from ${least} to ${most}`;
  return z.number({ error }).min(least, { error }).max(most, { error });
};
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `one of ${values.filter((value) => value !== "").join(", ")}` });

/** What a duration must be. */
export const DURATION = "a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds)";
export const duration = () =>
  z
    .union([z.number().min(0, { error: DURATION }), z.string().regex(DURATION_PATTERN, { error: DURATION })], {
      error: DURATION,
    })
    .describe(DURATION);
/** A map of names to anything: inputs of calls and operations, options of agents. */
export const record = () => z.record(z.string(), z.unknown(), { error: "a map of names to values" });
export const list = <T extends z.ZodType>(item: T, error: string) => z.array(item, { error });

/** The value of a `flag`. */
export const isYes = (value: boolean | string | null | undefined): boolean =>
  value === true || (typeof value === "string" && ["yes", "on", "true"].includes(value.toLowerCase()));
