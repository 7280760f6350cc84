/** Covers `await.ts`: what ends a wait for a run. */
import { NEVER } from "rxjs";
import { expect, test } from "vitest";
import { awaitRun, CallCancelled } from "../../../transports/mcp/await.ts";
import type { McpServed } from "../../../transports/mcp/served.ts";

/** A run that goes on without an end; `looked` is called when somebody asks how it stands. */
function servedWith(looked: () => void): McpServed {
  const session = { log$: () => NEVER, ended: () => undefined, questions: () => [] };
  const status = async () => {
    looked();
    return { cwd: "/w", session: "s", firstSeq: 1, status: "running", permissions: [] };
  };
  return { troupe: { status, open: async () => session }, cwd: "/w" } as unknown as McpServed;
}
const options = (signal: AbortSignal) => ({ waitMs: 2_000, signal, tell: () => undefined });

test("a cancel ends it, also one that comes while it is looked how the run stands", async () => {
  const ended = (signal: AbortSignal, looked = () => {}) =>
    expect(awaitRun(servedWith(looked), "r", options(signal))).rejects.toThrow(CallCancelled);
  await ended(AbortSignal.abort());
  const within = new AbortController();
  await ended(within.signal, () => within.abort());
  const after = new AbortController();
  setTimeout(() => after.abort(), 20);
  await ended(after.signal);
});
