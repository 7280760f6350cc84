/** A session that is followed, on a stage of its own for each test. */
import { afterEach, beforeEach } from "vitest";
import { type Frame, START } from "../../../machines/exchange.ts";
import { type Actor, type Stage, shownOf, wordsOf } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";

export const S = sessionKey("s");
export const note = (text: string) => ({ type: "note.taken", text }) as never;
export const row = (message: string) => ({ type: "notice", payload: { severity: "info", message } }) as const;

/** To be called where tests are declared; `stage` and `actor` are there within a test. */
export function following(open: () => Stage) {
  let stage: Stage;
  let actor: Actor;
  beforeEach(async () => {
    stage = open();
    actor = stage.enter();
    await actor.host.create(S, BIRTH);
  });
  afterEach(() => stage.close());

  const start = async () => {
    const before = actor.jobs.all.length;
    await actor.host.send(S, { type: "work.asked", label: "a" } as never);
    return (await actor.jobs.started(before)).context;
  };
  /** All frames that a follower was pushed, and the batches they came in. */
  const watch = (after = START) => {
    const batches: Frame[][] = [];
    const follower = actor.follow(S, (frames) => batches.push([...frames]), after);
    return {
      follower,
      batches,
      frames: () => batches.flat(),
      words: () => wordsOf(batches.flat()),
      shown: () => shownOf(batches.flat()),
    };
  };
  const at = (seq: number) => ({ ...START, seq });

  return {
    ...{ start, watch, at },
    get stage(): Stage {
      return stage;
    },
    get actor(): Actor {
      return actor;
    },
  };
}
