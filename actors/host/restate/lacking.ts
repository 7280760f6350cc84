/**
 * Secrets that work needs and this worker does not have: its input holds marks in their places.
 *
 * I1. The value of an input is taken from the worker's own environment, by the name that `secretVariable` gives, where
 *     this process does not know it otherwise.
 * I2. Work that has failed for want of a secret, and has done and said nothing, goes back to the engine: it waits for a
 *     worker that knows the secret. What is said of it names variables, never a value.
 */
import type { EventObject } from "xstate";
import { secretVariable } from "../../../machines/secret-name.ts";
import type { Environment } from "../../base/user-folders.ts";
import type { Code } from "../../errors/codes.ts";
import type { Mask } from "../../masking/masking.ts";

const MISSING: Code = "USER.INPUT.MISSING";
const INPUT = "input/";
/** A name of a mark ends in that of the input, or of the variable. */
const last = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
const variableOf = (name: string): string => (name.startsWith(INPUT) ? secretVariable(last(name)) : last(name));

type Masking = Pick<Mask, "reveal" | "missing" | "learn">;
/** The names of the secrets that are not known. */
const unknownIn = (input: string, mask: Masking): string[] => mask.missing(JSON.stringify(mask.reveal(input)));

/** Makes the secrets of a work's input known that the environment has (I1). */
export function learnGiven(input: string, mask: Masking, environment: Environment): void {
  for (const name of unknownIn(input, mask)) {
    const value = name.startsWith(INPUT) ? environment[variableOf(name)] : undefined;
    if (value !== undefined) mask.learn(name, value);
  }
}

/** What is said of work that has ended for want of a secret; null where it has ended otherwise (I2). */
export function lackOf(ended: EventObject, input: string, mask: Masking): string | null {
  const fault = faultOf(ended);
  if (fault?.code !== MISSING) return null;
  const words = new Set(fault.message.split(/[\s,]+/));
  const needed = unknownIn(input, mask).filter((name) => words.has(last(name)));
  if (needed.length === 0) return null;
  const [names, variables] = [needed.map(last), needed.map(variableOf)].map((some) => [...new Set(some)].join(", "));
  return `a worker does not know the secret ${names}: this goes on when one comes that has ${variables} in its environment`;
}

type Failed = { error?: { code?: string; message: string } };
/** As `failure` of `workers.ts` says it, or as a result that tells of one. */
const faultOf = (ended: EventObject): Failed["error"] => {
  const { error, output } = ended as EventObject & Failed & { output?: { outcome?: Failed } | null };
  return error ?? output?.outcome?.error;
};
