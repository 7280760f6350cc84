/** Two containers with one home: processes that see none of each other's pids want the same session. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Delivery } from "../../actors/host/host.ts";
import type { Key } from "../../machines/model.ts";
import { sessionKey } from "./host-machines.ts";
import { HostProcess } from "./host-process.ts";

const note = (key: Key, text: string) => ({ do: "send", key, event: { type: "note.taken", text } as never }) as const;
const work = (key: Key) => ({ do: "send", key, event: { type: "work.asked", label: "work" } as never }) as const;

/** What went wrong in each of so many tries; nothing should have. */
export async function twoOwners(tries: number, told: (done: number) => void = () => undefined): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "troupe-owners-"));
  const up = (): Promise<HostProcess> => HostProcess.up(join(folder, "troupe.db"), { namespace: true });
  const wrong: string[] = [];
  let [here, there] = [await up(), await up()];
  try {
    for (let i = 0; i < tries; i++) {
      const key = sessionKey(String(i));
      const takes = async (who: HostProcess, text: string): Promise<boolean> =>
        (await who.ask<Delivery>(note(key, text))).accepted;
      await here.ask({ do: "create", key });
      await here.ask(work(key));
      if (await takes(there, "while it works")) wrong.push(`${i}: a living owner's session was taken`);
      await here.kill();
      if (!(await takes(there, "when it has died"))) wrong.push(`${i}: a dead owner's session was kept`);
      const words = (await there.rows(key)).map((row) => (row.type === "notice" ? row.payload.message : row.type));
      const expected = ["born", "owner lost", "job failed: INTERRUPTED", "when it has died"];
      if (words.join() !== expected.join()) wrong.push(`${i}: ${words.join()}`);
      [here, there] = [there, await up()];
      told(i + 1);
    }
  } finally {
    await Promise.all([here.kill(), there.kill()]);
    rmSync(folder, { recursive: true, force: true });
  }
  return wrong;
}
