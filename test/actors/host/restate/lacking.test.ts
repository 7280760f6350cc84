/** Covers `lacking.ts`. */
import { beforeEach, expect, test } from "vitest";
import { lackOf, learnGiven } from "../../../../actors/host/restate/lacking.ts";
import { failure } from "../../../../actors/host/workers.ts";
import { inputSecret } from "../../../../actors/masking/given.ts";
import { Masking } from "../../../../actors/masking/masking.ts";

const VALUE = "a-value-nobody-says";
/** As it was hidden where both were known. */
let input: string;
let mask: Masking;
beforeEach(() => {
  const typed = new Masking([["env/GH_TOKEN", "another-value-here"]]);
  typed.learn(inputSecret("turn-1", "api_token"), VALUE);
  input = typed.hide({ inputs: { api_token: VALUE }, more: "with another-value-here" });
  mask = new Masking();
});

const fault = (names: string, code = "USER.INPUT.MISSING") => ({ code, message: `the value of ${names} is secret` });
const ended = (error: object) => ({ type: "xstate.done.actor.work", output: { outcome: { status: "failed", error } } });

test("the value of an input is taken from the environment, that of a variable from where it always is (I1)", () => {
  learnGiven(input, mask, { TROUPE_INPUT_API_TOKEN: VALUE, TROUPE_INPUT_GH_TOKEN: "no", GH_TOKEN: "no" });
  const known = mask.reveal(input) as { inputs: object; more: string };
  expect(known.inputs).toEqual({ api_token: VALUE });
  expect(mask.text(known.more)).toBe("with ***");
  expect(mask.missing(JSON.stringify(known))).toEqual(["env/GH_TOKEN"]);
});

test("what this process knows already stays as it is (I1)", () => {
  mask.learn(inputSecret("turn-1", "api_token"), VALUE);
  learnGiven(input, mask, { TROUPE_INPUT_API_TOKEN: "another" });
  expect(mask.reveal(input)).toMatchObject({ inputs: { api_token: VALUE } });
});

test("work that failed for want of secrets says which variables it waits for (I2)", () => {
  expect(lackOf(ended(fault("api_token")) as never, input, mask)).toBe(
    "a worker does not know the secret api_token: this goes on when one comes that has TROUPE_INPUT_API_TOKEN in its environment",
  );
  expect(lackOf(failure("work", fault("GH_TOKEN, api_token")), input, mask)).toBe(
    "a worker does not know the secret api_token, GH_TOKEN: this goes on when one comes that has TROUPE_INPUT_API_TOKEN, GH_TOKEN in its environment",
  );
});

test("a secret whose name is a part of another one's is not meant by that (I2)", () => {
  const typed = new Masking();
  for (const name of ["token", "api_token"]) typed.learn(inputSecret("turn-1", name), `${VALUE}-of-${name}`);
  const both = typed.hide({ api_token: `${VALUE}-of-api_token`, token: `${VALUE}-of-token` });
  expect(lackOf(failure("work", fault("api_token")), both, mask)).toContain("the secret api_token: ");
  expect(lackOf(failure("work", fault("token")), both, mask)).toContain("the secret token: ");
});

test("work that ended otherwise waits for nothing (I2)", () => {
  const other = fault("api_token", "USER.INPUT.INVALID");
  expect(lackOf(ended(other) as never, input, mask)).toBeNull();
  expect(lackOf(ended(fault("nothing that it has")) as never, input, mask)).toBeNull();
  expect(lackOf({ type: "xstate.done.actor.work", output: null } as never, input, mask)).toBeNull();
  expect(lackOf({ type: "xstate.done.actor.work" }, input, mask)).toBeNull();
  expect(lackOf(ended(fault("api_token")) as never, "{}", mask)).toBeNull();
});
