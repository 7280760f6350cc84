/**
 * Schedules over a storage.
 *
 * I1. What is decided of one is read, decided and written in one transaction: two processes never decide on the same state.
 * I2. Who throws while deciding has changed nothing.
 */
import type { Schedule } from "../../machines/schedule/schedule.ts";
import type { Owner } from "./ownership.ts";
import type { Patiently } from "./patience.ts";
import type { KeptSchedules } from "./schedule-table.ts";
import type { Storage } from "./storage.ts";

type Keeping = { storage: Storage; owner: Owner; patiently: Patiently; failpoint?: (name: string) => void };

export function keptSchedules({ storage, owner, patiently, failpoint }: Keeping): KeptSchedules {
  const { schedules, mask } = storage;
  const read = (kept: string): Schedule => mask.reveal(kept) as Schedule;
  return {
    list: () => schedules.list().map(read),
    change: (place, act) =>
      patiently(() => {
        storage.begin();
        try {
          const found = schedules.find(place);
          const before = found === undefined ? null : read(found);
          owner.prove();
          const { schedule, answer } = act(before, owner);
          if (schedule === null) schedules.drop(place);
          else if (schedule !== before) schedules.keep(place, mask.hide(schedule));
          storage.commit();
          failpoint?.("schedule.decided");
          return answer;
        } catch (error) {
          storage.rollback();
          throw error;
        }
      }),
  };
}
