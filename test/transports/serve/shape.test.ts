import { describe, expect, it } from "vitest";
import { z } from "zod";
import { shaped } from "../../../transports/serve/shape.ts";

const schema = z.strictObject({
  name: z.string().min(1).max(5),
  how: z.enum(["ask", "fail"]).optional(),
  many: z.number().int().min(1).max(1_000).optional(),
  cost: z.number().positive().optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  inputs: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).optional(),
  list: z.array(z.string()).min(1).optional(),
  own: z.string("expected an absolute path").optional(),
});

describe("what is wrong with a request is said in our words, with the field (I1)", () => {
  it.each<[unknown, string, string]>([
    [{}, "body.name", "expected text, and there is none"],
    [{ name: 5 }, "body.name", "expected text"],
    [{ name: "" }, "body.name", "expected text of at least 1 character"],
    [{ name: "longer" }, "body.name", "expected text of at most 5 characters"],
    [{ name: "a", how: "z" }, "body.how", "expected one of ask, fail"],
    [{ name: "a", many: "x" }, "body.many", "expected a number"],
    [{ name: "a", many: 1.5 }, "body.many", "expected a whole number"],
    [{ name: "a", many: 5000 }, "body.many", "expected a number of at most 1000"],
    [{ name: "a", cost: 0 }, "body.cost", "expected a number of more than 0"],
    [{ name: "a", since: "now" }, "body.since", "expected a time, as 2026-01-31T12:00:00Z"],
    [{ name: "a", inputs: [] }, "body.inputs", "expected an object"],
    [{ name: "a", inputs: { x: true } }, "body.inputs.x", "expected text, or a number, or null"],
    [{ name: "a", list: [] }, "body.list", "expected a list of at least 1 item"],
    [{ name: "a", own: 1 }, "body.own", "expected an absolute path"],
    [{ name: "a", x: 1 }, "body.x", "there is no such field"],
    [[], "body", "expected an object"],
    [undefined, "body", "expected an object, and there is none"],
  ])("%j", (value, field, message) => {
    expect(shaped(schema, value, "body")).toEqual({ ok: false, faults: [{ field, message }] });
  });

  it("names fields without a place, and each of several", () => {
    expect(shaped(schema, { x: 1, y: 2 }, "")).toMatchObject({
      faults: [{ field: "name" }, { field: "x" }, { field: "y" }],
    });
    expect(shaped(schema, { name: "a" }, "")).toEqual({ ok: true, value: { name: "a" } });
  });
});

it("a field that is not there is told with the nearest one that is, of the object where it stands (I2)", () => {
  const outer = z.strictObject({
    inside: z.strictObject({ tokens: z.number().optional() }).optional(),
    token: z.null(),
  });
  expect(shaped(outer, { inside: { token: 1 }, token: null, insde: 1, other: 1 }, "body")).toEqual({
    ok: false,
    faults: [
      { field: "body.inside.token", message: 'there is no such field; did you mean "tokens"?' },
      { field: "body.insde", message: 'there is no such field; did you mean "inside"?' },
      { field: "body.other", message: "there is no such field" },
    ],
  });
  // A refinement stands around the object.
  const refined = z.strictObject({ text: z.string().optional() }).refine(() => true);
  expect(shaped(refined, { txt: "a" }, "")).toMatchObject({ faults: [{ message: expect.stringContaining('"text"') }] });
});
