/** The built program on the oldest Node of each line that it says it runs on: what a user does in the first minutes. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../support/api.ts";
import { type House, openHouse, PROGRAM } from "../support/house.ts";
import { Started } from "../support/started.ts";
import { binOf, OLD_NODES } from "./programs.ts";

const SOON = { timeout: 30_000, interval: 20 };

const run = promisify(execFile);

describe.each(OLD_NODES)("on Node $version", (node) => {
  const program = join(binOf(node), "node");
  let house: House;
  beforeAll(() => {
    house = openHouse(["acceptance/hello.yaml", "acceptance/talk.yaml"]);
  });
  afterAll(() => house.leave());
  const place = () => ({ cwd: house.cwd, env: { ...house.env, TROUPE_TRUST: "1" } });
  const troupe = async (...args: string[]) => {
    const { stdout, stderr } = await run(program, [PROGRAM, ...args], { ...place(), timeout: 60_000 });
    return stdout + stderr;
  };

  it("is that Node", async () => {
    expect((await run(program, ["--version"])).stdout.trim()).toBe(`v${node.version}`);
  });

  it("runs the README's demo", async () => expect(await troupe("demo")).toContain("the turn ended: end_turn"));

  it("runs, lists, validates, tells, and makes room", async () => {
    for (const run of [1, 2]) expect(await troupe("run", "hello"), String(run)).toContain("hello completed");
    expect(await troupe("list")).toContain("hello");
    expect(await troupe("validate")).toContain("talk is valid");
    expect(await troupe("logs", "@last")).toContain("hello");
    expect((await troupe("history")).match(/hello/g)).toHaveLength(2);
    await troupe("gc", "--max-runs", "1");
    expect((await troupe("history")).match(/hello/g)).toHaveLength(1);
  });

  it("serves: a run parks, is answered, and ends", async () => {
    const server = new Started([program, PROGRAM, "serve", "--listen", "127.0.0.1:0"], place());
    const portIn = () => /listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(server.stderr)?.[1];
    await expect.poll(portIn, SOON).toBeDefined();
    const api = new Api({ port: Number(portIn()) });
    const { run: id } = await api.start("talk");
    await expect.poll(async () => (await api.run(id)).status, SOON).toBe("parked");
    expect((await api.post(`/api/runs/${id}/answer`, { text: "Ann" })).status).toBe(202);
    await expect.poll(async () => (await api.run(id)).questions[0]?.said, SOON).toContain("Ann");
    expect((await api.post(`/api/runs/${id}/cancel`)).status).toBe(202);
    await expect.poll(async () => (await api.run(id)).status, SOON).toBe("cancelled");
    server.child.kill("SIGTERM");
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });
});
