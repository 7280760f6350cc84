/** Covers `start.ts`: what is left of a start once it is known what became of it. */
import { Observable } from "rxjs";
import { expect, test } from "vitest";
import type { WorkflowSummary } from "../../../actors/troupe.ts";
import type { McpServed } from "../../../transports/mcp/served.ts";
import { startRun } from "../../../transports/mcp/start.ts";

const workflow = { id: "w", inputs: [] } as unknown as WorkflowSummary;
/** A run whose log says these rows; `readers`: how many read it. */
function servedWith(rows: readonly object[], done: () => Promise<unknown>) {
  const log = { readers: 0 };
  const log$ = () =>
    new Observable((reader) => {
      log.readers++;
      if (rows.length > 0) reader.next(rows);
      return () => void log.readers--;
    });
  const troupe = { run: async () => ({ id: "r", session: { log$ }, done: done() }) };
  return { log, served: { troupe, cwd: "/w", environment: {} } as unknown as McpServed };
}

test("a run that has begun, or has ended without that, is read no more", async () => {
  const never = () => new Promise(() => undefined);
  const begun = servedWith([{ type: "run.started", run: "r" }], never);
  expect(await startRun(begun.served, workflow, {})).toBe("r");
  expect(begun.log.readers).toBe(0);
  const ended = servedWith([], async () => ({}));
  expect(await startRun(ended.served, workflow, {})).toBe("r");
  expect(ended.log.readers).toBe(0);
  const refused = servedWith([], () => Promise.reject(new Error("refused")));
  await expect(startRun(refused.served, workflow, {})).rejects.toThrow("refused");
  expect(refused.log.readers).toBe(0);
});
