/** Covers I4 and I5 of `remove.ts`: a session goes with what refused its only run, and with the process that ran it. */
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Session } from "../../../../actors/api/facade.ts";
import { removeSession, runAlone } from "../../../../actors/facade/sessions/remove.ts";
import { createTroupe, type Troupe } from "../../../../actors/troupe.ts";
import { type House, openHouse } from "../../../support/house.ts";

let house: House;
let troupe: Troupe;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
  troupe = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" } });
  onTestFinished(async () => {
    await troupe.close();
    await house.leave();
  });
});
const stored = (): string[] => {
  const db = new DatabaseSync(house.store, { readOnly: true });
  const found = db.prepare("select id from session union select key from actor where key like 'session/%'").all();
  db.close();
  return found.map(({ id }) => String(id));
};

test("of a run that is refused nothing stays in the store", async () => {
  const begun = (workflow: string) => troupe.run({ cwd: house.cwd, workflow, inputs: {}, consent: "yes" });
  await expect(begun("none")).rejects.toMatchObject({ code: "USER.FACADE.WORKFLOW_NOT_FOUND" });
  expect(stored()).toEqual([]);
  const { session, done } = await begun("hello");
  await done;
  expect(stored()).toEqual([`session/${session.id}`]);
});

const refusal = new Error("refused");
/** A host that cannot write while `isFull`. */
function hostOf() {
  const removed: string[] = [];
  const host = {
    isFull: false,
    remove: async (key: string) => {
      if (host.isFull) throw new Error("full");
      removed.push(key);
      return "removed" as const;
    },
  };
  /** Refused after so many rows; null: begun. */
  const run = (id: string, written: number | null): Promise<void> => {
    let head = 1;
    const begin = async () => {
      head += written ?? 1;
      if (written !== null) throw refusal;
    };
    return runAlone({ id, head: () => head }, host, begin);
  };
  return { host, removed, run };
}

test("what was written stays", async () => {
  const { removed, run } = hostOf();
  await expect(run("a", 1)).rejects.toBe(refusal);
  await expect(run("b", 0)).rejects.toBe(refusal);
  await run("c", null);
  expect(removed).toEqual(["session/b"]);
});

test("what cannot be removed goes with the next run that begins, and the refusal is told", async () => {
  const { host, removed, run } = hostOf();
  host.isFull = true;
  for (const id of ["a", "b"]) await expect(run(id, 0)).rejects.toBe(refusal);
  host.isFull = false;
  expect(removed).toEqual([]);
  await run("c", null);
  expect(removed).toEqual(["session/a", "session/b"]);
  await run("d", null);
  expect(removed).toEqual(["session/a", "session/b"]);
});

test("one whose process dies while it is removed is closed once more, and waited for by nobody (I5)", async () => {
  const answers: ("running" | "removed")[] = ["running", "removed"];
  const did: string[] = [];
  const session = { id: "a", close: async () => void did.push("close") } as unknown as Session;
  const remove = async () => {
    const answer = answers.shift() ?? "removed";
    did.push(answer);
    return answer;
  };
  const host = { remove, sessions: { isOwn: () => false } };
  await removeSession(session, { host, released: () => new Promise(() => undefined) });
  expect(did).toEqual(["close", "running", "close", "removed"]);
});
