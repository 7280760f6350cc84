/**
 * A worker that the network cuts off in the middle of a step, and that comes back: another one has done the step by then.
 * Its own child is ended, and what it says late changes nothing. Needs root, for a network of its own.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { freePorts } from "../support/cluster.ts";
import { childrenOf, type House, kill, openHouse, PROGRAM } from "../support/house.ts";
import { canPart, FarMachine, Way } from "../support/parted-network.ts";
import { Started } from "../support/started.ts";

const [ENGINE = "", ADMIN = ""] = (process.env["TROUPE_TEST_ENGINE"] ?? "").split(" ");
const FAR_PORT = 9080;
const LOOPBACK = "127.0.0.1";
const placeOf = (url: string) => ({ host: LOOPBACK, port: Number(new URL(url).port) });

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe.skipIf(!canPart())("a worker that the network cuts off", () => {
  let house: House;
  let machine: FarMachine;
  let ways: Way[];
  let far: Started;
  /** Where the engine reaches a worker: what stands behind the name that all of them have. */
  let name: Way;
  beforeEach(async () => {
    house = openHouse(["cluster/parted.yaml"]);
    machine = new FarMachine();
    name = await Way.open(LOOPBACK, { host: FarMachine.inner, port: FAR_PORT });
    const [ingress, admin] = [
      await Way.open(FarMachine.outer, placeOf(ENGINE)),
      await Way.open(FarMachine.outer, placeOf(ADMIN)),
    ];
    ways = [name, ingress, admin];
    const urls = [ingress, admin].map(({ port }) => `http://${FarMachine.outer}:${port}`);
    far = worker("far", { engine: urls[0]!, admin: urls[1]!, listen: `${FarMachine.inner}:${FAR_PORT}` }, machine.argv);
    await until(() => far.stderr.includes("works for"));
  });
  afterEach(async () => {
    for (const pid of childrenOf(far.owner)) kill(pid);
    far.kill();
    for (const way of ways) way.close();
    await house.leave();
    machine.leave();
  });

  type Place = { engine: string; admin: string; listen: string };
  const worker = (who: string, { engine, admin, listen }: Place, before: readonly string[] = []): Started => {
    const uri = `http://${LOOPBACK}:${name.port}`;
    const args = ["worker", "--engine", engine, "--admin", admin, "--listen", listen, "--uri", uri];
    const env = { ...house.env, TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "", WORKER_NAME: who };
    const [first = process.execPath, ...rest] = [...before, process.execPath, PROGRAM, ...args];
    return new Started([first, ...rest], { cwd: house.cwd, env });
  };
  const marks = (): string[] => {
    const file = join(house.cwd, "marks");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  };
  const go = (who: string): void => writeFileSync(join(house.cwd, `go.${who}`), "");
  /** The run, when another worker has begun the step again, and that worker. */
  const parted = async (): Promise<{ run: Started; near: Started }> => {
    const run = house.troupe(["run", "parted", "--engine", ENGINE, "--trust", "--format", "json"]);
    await until(() => marks().length === 1);
    const [port = 0] = await freePorts(1);
    const near = worker("near", { engine: ENGINE, admin: ADMIN, listen: `${LOOPBACK}:${port}` });
    await until(() => near.stderr.includes("works for"));
    machine.pull();
    name.to = { host: LOOPBACK, port };
    name.cut();
    await until(() => marks().length === 2);
    return { run, near };
  };
  const ended = async (run: Started): Promise<void> => {
    expect([(await run.ended).code, run.stderr]).toEqual([0, ""]);
    expect(marks()).toEqual(["first far", "first near", "second near"]);
    const rows = run.lines.map((line) => JSON.parse(line) as Exchange);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    expect(rows.filter(({ type }) => type === "step.completed")).toHaveLength(2);
    expect(JSON.stringify(rows)).toContain("ended by near");
    expect(JSON.stringify(rows)).not.toContain("ended by far");
  };

  test("when it is back, its child is ended", async () => {
    const { run, near } = await parted();
    expect(childrenOf(far.owner)).not.toEqual([]);
    machine.plug();
    await until(() => childrenOf(far.owner).length === 0);
    go("near");
    await ended(run);
    near.kill();
    await near.ended;
  }, 60_000);

  test("what its child has come to meanwhile changes nothing", async () => {
    const { run, near } = await parted();
    go("far");
    await until(() => childrenOf(far.owner).length === 0);
    machine.plug();
    go("near");
    await ended(run);
    expect(far.child.exitCode).toBeNull();
    near.kill();
    await near.ended;
  }, 60_000);
});
