/** Covers `input-secrets.ts`; what a resume does with it is covered by `continuing.test.ts`. */
import { expect, test } from "vitest";
import { learnAgain } from "../../../../actors/facade/sessions/input-secrets.ts";
import { inputSecret } from "../../../../actors/masking/given.ts";

type Parts = Parameters<typeof learnAgain>;

test("of a session's log, however long it is, the run's first row alone is read for its secrets", () => {
  const reads: [after: number, limit: number][] = [];
  const learned: [name: string, value: string][] = [];
  const first = { type: "run.started", run: "r", seq: 70_001, at: 1, payload: { workflow: "w", turn: "t" } };
  const runtime = {
    host: { runs: { secrets: () => ({}), find: () => ({ seq: first.seq }) } },
    mask: { relearn: (name: string, value: string) => learned.push([name, value]) },
  };
  const session = {
    rows: (after: number, limit: number) => {
      reads.push([after, limit]);
      return [first];
    },
  };
  learnAgain(runtime as unknown as Parts[0], session as unknown as Parts[1], "r", { api_token: "hunter2" });
  expect(reads).toEqual([[first.seq - 1, 1]]);
  expect(learned).toEqual([[inputSecret("t", "api_token"), "hunter2"]]);
});
