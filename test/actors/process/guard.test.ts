import { fileURLToPath } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import { type Identity, identityOf, isAlive } from "../../../actors/process/identity.ts";
import { scanProcesses } from "../../../actors/process/table.ts";
import { Started } from "../../support/started.ts";
import { until } from "./support.ts";

vi.setConfig({ testTimeout: 30_000 });
const PROGRAM = fileURLToPath(new URL("programs/guarded.ts", import.meta.url));
const live: Identity[] = [];
afterEach(() => {
  for (const one of live.splice(0)) if (isAlive(one)) process.kill(one.pid, "SIGKILL");
});

async function started(how: string): Promise<{ program: Started; child: Identity; guards: () => number }> {
  const limited = how === "crowded" ? (["sh", "-c", 'ulimit -n 64; exec "$@"', "sh"] as const) : (["env"] as const);
  const program = new Started([...limited, process.execPath, PROGRAM, how], {
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "" },
  });
  const child = identityOf(Number(await program.line(1)));
  if (child === null) throw new Error("the child is not there");
  live.push(child);
  // The child carries a marker, but shows none while it is inside its exec.
  const pids = scanProcesses(null).filter((row) => row.ppid === program.child.pid && row.pid !== child.pid);
  const identities = pids.map(({ pid }) => identityOf(pid)).filter((one) => one !== null);
  return { program, child, guards: () => identities.filter(isAlive).length };
}

it("I1 ends what a killed process had started, and then itself", async () => {
  const { program, child, guards } = await started("guarded");
  expect(guards()).toBe(1);
  program.kill();
  await program.ended;
  await until(() => !isAlive(child) && guards() === 0);
});

it("without a guard it is left", async () => {
  const { program, child, guards } = await started("unguarded");
  expect(guards()).toBe(0);
  program.kill();
  await program.ended;
  expect(isAlive(child)).toBe(true);
});

it("I4 there is none before a process is started that it could find", async () => {
  const { program, child, guards } = await started("unmarked");
  expect(guards()).toBe(0);
  program.kill();
  await program.ended;
  expect(isAlive(child)).toBe(true);
});

it("I3 goes home and ends nothing when the process ends in order", async () => {
  const { program, child, guards } = await started("in order");
  program.child.stdin.write("go\n");
  await until(() => guards() === 0);
  expect(isAlive(child)).toBe(true);
  program.kill();
  await program.ended;
});

it("I5 one that could not be started for want of files is started with the next process", async () => {
  const { program, child } = await started("crowded");
  program.kill();
  await program.ended;
  await until(() => !isAlive(child));
});
