/** A run that a test holds, and ends when it likes. */
import { Subject } from "rxjs";
import type { Exchange, Frame, Run, RunResult } from "../../../actors/troupe.ts";

/** A run whose log and end a test holds in its hands. */
export function heldRun() {
  const frames = new Subject<readonly Frame[]>();
  const committed: Exchange[] = [];
  const done = Promise.withResolvers<RunResult>();
  const calls: string[] = [];
  const session = {
    id: "s1",
    cwd: "/w",
    head: () => committed.length,
    rows: (after: number, limit: number) => committed.filter(({ seq }) => seq > after).slice(0, limit),
    log$: () => frames,
    decide: async (permission: string, option: string | null) => void calls.push(`decide ${permission} ${option}`),
  };
  const run = {
    id: "r1",
    session,
    done: done.promise,
    cancel: async () => void calls.push("cancel"),
  } as unknown as Run;
  return {
    run,
    done,
    calls,
    push: (...batch: Frame[]) => {
      committed.push(...batch.filter((frame): frame is Exchange => "seq" in frame));
      frames.next(batch);
    },
    commitUnseen: (...rows: Exchange[]) => void committed.push(...rows),
  };
}
