/** Covers `joining.ts`: a reader who comes while something runs. */
import { expect, test } from "vitest";
import { Joining } from "../../../projections/acp/joining.ts";
import type { View } from "../../../projections/acp/view.ts";

const row = (seq: number) => ({ seq, type: "notice", payload: {} }) as never;
const parts = (told: string[]) =>
  ["plan", "cards"].map((name) => ({
    tell: (after: number, views: View[]) => {
      told.push(`${name} after ${after}, ${views.length} before`);
      views.push({ update: { sessionUpdate: name } } as never);
    },
  }));

test("what stands is shown once, in order, when the last row behind was taken in (I1)", () => {
  const [told, views]: [string[], View[]] = [[], []];
  const joining = new Joining({ after: 3, title: "A\u202e title" }, parts(told));
  joining.pass(row(1), views);
  joining.pass({ after: 9, type: "message.assistant", payload: {} } as never, views); // live: of no seq
  joining.pass(row(2), views);
  expect([joining.isBehind, told, views]).toEqual([true, [], []]);
  joining.pass(row(3), views);
  expect(joining.isBehind).toBe(false);
  expect(told).toEqual(["plan after 3, 1 before", "cards after 3, 2 before"]);
  expect(views[0]).toEqual({ update: { sessionUpdate: "session_info_update", title: "A\\u202e title" } });
  joining.pass(row(4), views);
  expect(views).toHaveLength(3);
});

test("a session without a title is shown none; a row that is further lets in too", () => {
  const views: View[] = [];
  const joining = new Joining({ after: 3, title: null }, []);
  joining.pass(row(5), views);
  expect([joining.isBehind, views]).toEqual([false, []]);
});

test("who is shown everything is behind nothing", () => {
  const [told, views]: [string[], View[]] = [[], []];
  const joining = new Joining(null, parts(told));
  joining.pass(row(1), views);
  expect([joining.isBehind, told, views]).toEqual([false, [], []]);
});
