/** Covers I4 of `remove.ts`: a session that was made for a run alone goes with what refused it. */
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { runAlone } from "../../../../actors/facade/sessions/remove.ts";
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

test("what was written stays, and the refusal is told where nothing can be removed", async () => {
  const refusal = new Error("refused");
  const removed: string[] = [];
  const refused = (written: number, fault?: Error) => {
    let head = 1;
    return runAlone(
      { id: "s", head: () => head },
      {
        remove: async (key) => {
          removed.push(key);
          if (fault !== undefined) throw fault;
          return "removed";
        },
      },
      async () => {
        head += written;
        throw refusal;
      },
    );
  };
  await expect(refused(1)).rejects.toBe(refusal);
  expect(removed).toEqual([]);
  await expect(refused(0, new Error("full"))).rejects.toBe(refusal);
  expect(removed).toEqual(["session/s"]);
});
