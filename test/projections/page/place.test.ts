/** Covers `place.ts`: addresses of the page. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type PagePlace, placeOf, placeText } from "../../../projections/page/place.ts";

test.each<[PagePlace, string]>([
  [{ view: "runs", search: "" }, "/"],
  [{ view: "runs", search: "a b" }, "/?q=a+b"],
  [{ view: "run", run: "r/1", step: null, seq: null, line: null }, "/run/r%2F1"],
  [{ view: "run", run: "r1", step: "a[1]/b", seq: 0, line: "3.4" }, "/run/r1?step=a%5B1%5D%2Fb&seq=0&line=3.4"],
  [{ view: "workflow", workflow: "w", cwd: null }, "/workflow/w"],
  [{ view: "workflow", workflow: "w", cwd: "/x?y" }, "/workflow/w?cwd=%2Fx%3Fy"],
  [{ view: "machines", key: "run/1", search: "s" }, "/machines?key=run%2F1&q=s"],
  [{ view: "machines", key: null, search: "" }, "/machines"],
  [{ view: "workflows", cwd: "/x" }, "/workflows?cwd=%2Fx"],
  [{ view: "workflows", cwd: null }, "/workflows"],
])("%o is %s, and is read back (I1)", (place, text) => {
  expect(placeText(place)).toBe(text);
  expect([placeOf(text), placeOf(`#${text}`)]).toEqual([place, place]);
});

test.each([
  ...["", "#", "/", "/run", "/run/", "/workflow", "/workflow/", "/run/%E0%A4%A", "/elsewhere/x", "nothing", "/RUN/x"],
])("%j is the list of all runs (I1)", (text) => {
  expect(placeOf(text)).toEqual({ view: "runs", search: "" });
});

test.each(["x", "-1", "1.5", "1e3", " 1", "1 ", "1234567890123456", ""])("%j is no seq", (seq) => {
  expect(placeOf(`/run/r?seq=${encodeURIComponent(seq)}`)).toMatchObject({ view: "run", seq: null });
});
test("fifteen digits are one", () => {
  expect(placeOf("/run/r?seq=123456789012345")).toMatchObject({ seq: 123456789012345 });
});

test("what is written is read back, whatever it holds (I1)", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 });
  const maybe = fc.option(text, { nil: null });
  const place = fc.oneof(
    fc.record({
      view: fc.constant("run" as const),
      run: text,
      step: maybe,
      seq: fc.option(fc.nat(), { nil: null }),
      line: maybe,
    }),
    fc.record({ view: fc.constant("workflow" as const), workflow: text, cwd: maybe }),
    fc.record({ view: fc.constant("machines" as const), key: maybe, search: fc.string() }),
    fc.record({ view: fc.constant("runs" as const), search: fc.string() }),
  );
  fc.assert(fc.property(place, (one) => void expect(placeOf(placeText(one))).toEqual(one)));
});
