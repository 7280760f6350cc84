/**
 * `troupe run --detach`: a run that belongs to a process in the background.
 *
 * A1. The command ends at once and names the run. The run's gate is decided from another process, and the process in
 *     the background ends with the run.
 * A2. After `kill -9` of that process the run can be resumed.
 *     `resume --detach` leaves it to such a process again.
 * A3. Where a run does not begin, the command says why, with the run's own code.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

let house: House;
beforeAll(() => {
  house = openHouse(["acceptance/gate.yaml", "acceptance/asleep.yaml", "acceptance/asks.yaml"]);
});
afterAll(() => house.leave());

async function json<T>(args: string[]): Promise<{ code: number | null; told: T }> {
  const started = house.troupe([...args, "--format", "json"]);
  const { code } = await started.ended;
  return { code, told: JSON.parse(started.lines.join("\n")) as T };
}
const detached = (...args: string[]) => json<{ run: string; pid: number }>(["run", "--detach", "--trust", ...args]);
/** Not a child of this process: its end can only be seen from outside. */
const untilGone = (pid: number) => expect.poll(() => isThere(pid), { timeout: 30_000, interval: 20 }).toBe(false);
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
const statusOf = async (run: string) => (await json<{ status: string }>(["status", run])).told.status;

test("A1: a detached run is decided from another process, and its own process ends with it", async () => {
  const { code, told } = await detached("gate");
  expect({ code, status: await statusOf(told.run) }).toEqual({ code: 0, status: "waiting" });
  expect((await json(["decide", told.run, "allow"])).code).toBe(0);
  await untilGone(told.pid);
  expect(await statusOf(told.run)).toBe("completed");
});

test("A1: with -q the id of the run stands alone, for a script", async () => {
  const started = house.troupe(["run", "gate", "--detach", "--trust", "-q"]);
  expect((await started.ended).code).toBe(0);
  expect(started.lines).toEqual([expect.stringMatching(/^[\w-]{12}$/)]);
  expect((await json(["decide", started.lines[0] ?? "", "deny"])).code).toBe(0);
});

test("A1: a detached run is cancelled by troupe cancel, which waits for its end, and its process ends with it", async () => {
  const { told } = await detached("asleep");
  const { code, told: end } = await json<object>(["cancel", told.run]);
  expect({ code, end }).toEqual({ code: 0, end: { run: told.run, status: "cancelled" } });
  await untilGone(told.pid);
});

test("A2: a detached run that is killed can be resumed", async () => {
  const { told } = await detached("asleep");
  process.kill(told.pid, "SIGKILL");
  await untilGone(told.pid);
  expect(await statusOf(told.run)).toBe("interrupted");
});

test("A2: a detached run that was killed goes on in the background again, and is decided from elsewhere", async () => {
  const { told } = await detached("gate");
  process.kill(told.pid, "SIGKILL");
  await untilGone(told.pid);
  const again = await json<{ run: string; pid: number }>(["resume", told.run, "--detach"]);
  expect(again).toMatchObject({ code: 0, told: { run: told.run } });
  expect(again.told.pid).not.toBe(told.pid);
  expect((await json(["resume", told.run, "--detach"])).code).toBe(1);
  expect((await json(["decide", told.run, "allow"])).code).toBe(0);
  await untilGone(again.told.pid);
  expect(await statusOf(told.run)).toBe("completed");
  expect(await json(["resume", told.run, "--detach"])).toMatchObject({
    told: {
      error: {
        code: "USER.RUN.NOT_RESUMABLE",
        message: `run "${told.run}" has completed: only an interrupted or a parked run can be resumed`,
      },
    },
  });
});

test("A3: a detached run parks with its inputs, or does not begin", async () => {
  const { told } = await detached("asks", "-i", "known=a-name-of-mine");
  await untilGone(told.pid);
  expect(await json(["decide", told.run])).toMatchObject({
    told: [{ form: { fields: [{}, { default: "a-name-of-mine" }] } }],
  });
  expect(await json(["run", "asks", "--detach", "-i", "other=1", "--trust"])).toMatchObject({
    code: 1,
    told: { error: { code: "USER.INPUT.UNKNOWN" } },
  });
});
