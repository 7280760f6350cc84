import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../../actors/base/clock.ts";
import { Catalogue, type Workflows } from "../../../actors/catalogue/catalogue.ts";
import { GuardedCatalogue, type GuardedOptions } from "../../../actors/catalogue/guarded.ts";
import { HOSTILE_FILES } from "../../support/hostile-files.ts";
import { type House, house, workflow } from "./support.ts";

const PLACE = "work/.troupe/workflows";
const MIB = 1024 * 1024;

/** On a busy machine a reader takes its time. */
const SLOW = { ms: 60_000, heapMiB: 256 };

/** A catalogue that counts the readers it starts: each has its time limit. */
function guarded(one: House, options: Partial<GuardedOptions> = {}) {
  const started = { readers: 0 };
  const clock = {
    ...systemClock,
    after: (ms: number, act: () => void) => {
      started.readers++;
      return systemClock.after(ms, act);
    },
  };
  return { catalogue: new GuardedCatalogue({ ...one.options, clock, reader: () => SLOW, ...options }), started };
}

/** Milliseconds of this process alone, and how much it has grown meanwhile, in mebibytes. */
async function costOf<T>(act: () => Promise<T>): Promise<{ result: T; ms: number; mib: number }> {
  const [before, rss] = [process.cpuUsage(), process.memoryUsage.rss()];
  const result = await act();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000, mib: (process.memoryUsage.rss() - rss) / MIB };
}

function fill(one: House, count: number, text: (index: number) => string): void {
  for (let index = 0; index < count; index++) one.write(`${PLACE}/w${index}.yaml`, text(index));
}
const padded = (name: string): string => `${workflow(name)}# ${"x".repeat(1_000)}\n`;

describe("where a directory is read", () => {
  test("little is read at once, trusted or not (I1)", async () => {
    const one = house();
    fill(one, 10, (index) => workflow(`w${index}`));
    const { catalogue, started } = guarded(one);
    expect((await catalogue.list(one.cwd)).length).toBe(10);
    expect((await catalogue.load(one.cwd, "w3")).workflow.name).toBe("w3");
    expect((await catalogue.validate(one.cwd, "./.troupe/workflows/w4.yaml")).id).toBe("w4");
    expect(await catalogue.warnings(one.cwd)).toEqual([]);
    expect(started.readers).toBe(0);
  });

  test("much is read here in a trusted directory, and apart in any other (I1)", async () => {
    const one = house();
    fill(one, 60, (index) => padded(`w${index}`));
    const trusted = guarded(one, { trusts: (cwd) => cwd === one.cwd });
    expect((await trusted.catalogue.list(one.cwd)).length).toBe(60);
    expect(trusted.started.readers).toBe(0);
    const stranger = guarded(one);
    expect(await stranger.catalogue.list(one.cwd)).toEqual(await trusted.catalogue.list(one.cwd));
    expect(stranger.started.readers).toBe(1);
  });

  test("one file of many is read at once where so many names may be met, their list apart (I1)", async () => {
    const one = house();
    fill(one, 140, (index) => workflow(`w${index}`));
    const served = guarded(one);
    expect((await served.catalogue.validate(one.cwd, "w3")).id).toBe("w3");
    expect(served.started.readers).toBe(1);
    const { catalogue, started } = guarded(one, { names: 1_000 });
    expect((await catalogue.validate(one.cwd, "w3")).id).toBe("w3");
    expect(started.readers).toBe(0);
    expect((await catalogue.list(one.cwd)).length).toBe(140);
    expect(started.readers).toBe(1);
  });

  test("a path is read apart wherever it is asked from: trust for one directory says nothing of another", async () => {
    const one = house();
    const path = one.write("elsewhere/w.yaml", `${workflow("w")}# ${"x".repeat(64 * 1024)}\n`);
    const { catalogue, started } = guarded(one, { trusts: () => true });
    expect((await catalogue.load(one.cwd, path)).workflow.name).toBe("w");
    expect(started.readers).toBe(1);
  });

  test("the answer is the same (I2)", async () => {
    const one = house();
    const long = `# ${"x".repeat(64 * 1024)}\n`;
    const servers = "mcp_servers: {m: {command: a}}\n";
    const agent = "  g: {type: agent, provider: claude, prompt: a, on_success: a}\n";
    one.write(`${PLACE}/full.yaml`, `${workflow("full", servers)}${agent}${long}`);
    one.write(`${PLACE}/broken.yaml`, `name: broken\nstates: {initial: nowhere}\n${long}`);
    one.write(`${PLACE}/calls.yaml`, `${workflow("calls")}  c: {workflow: calls, on_success: a}\n${long}`);
    one.write("work/.troupe/templates/t.yaml", `name: t\nstates: {s: {type: command, command: a}}\n`);
    one.write(`${PLACE}/made.yaml`, `${workflow("made")}  m: {use_template: t, on_success: a}\n${long}`);
    const answers = async (from: Workflows) => ({
      list: await from.list(one.cwd),
      warnings: await from.warnings(one.cwd),
      validations: await Promise.all(
        ["full", "broken", "calls", "made"].map((id) => from.validate(one.cwd, id).catch((error) => ({ ...error }))),
      ),
      loads: await Promise.all(
        ["full", "broken", "nothing", "", "made"].map((id) =>
          from.load(one.cwd, id).catch(({ code, message, details }) => ({ code, message, details })),
        ),
      ),
    });
    const { catalogue, started } = guarded(one, { servers: () => ["mine"] });
    const here = new Catalogue({ ...one.options, servers: () => ["mine"] });
    expect(await answers(catalogue)).toEqual(JSON.parse(JSON.stringify(await answers(here))));
    expect(started.readers).toBeGreaterThan(0);
  });

  test("a little that templates make much of is read apart, with the same answer", async () => {
    const one = house();
    const hooks = Array.from({ length: 100 }, () => "{log: a}").join(",");
    one.write(
      "work/.troupe/templates/t.yaml",
      `name: t\nstates: {s: {type: command, command: a, hooks: {pre: [${hooks}]}}}\n`,
    );
    const steps = Array.from({ length: 100 }, (_, k) => `  m${k}: {use_template: t, on_success: a}\n`).join("");
    one.write(`${PLACE}/made.yaml`, `${workflow("made")}${steps}`);
    const { catalogue, started } = guarded(one);
    expect(await catalogue.validate(one.cwd, "made")).toEqual(
      JSON.parse(JSON.stringify(await new Catalogue(one.options).validate(one.cwd, "made"))),
    );
    expect(started.readers).toBe(1);
  });

  test("the same list is asked for once at a time", async () => {
    const one = house();
    fill(one, 60, (index) => padded(`w${index}`));
    const { catalogue, started } = guarded(one);
    const lists = await Promise.all([1, 2, 3].map(() => catalogue.list(one.cwd)));
    expect(lists.map((list) => list.length)).toEqual([60, 60, 60]);
    expect(started.readers).toBe(1);
  });

  test("ten thousand ordinary files are listed", async () => {
    const one = house();
    fill(one, 10_000, (index) => workflow(`w${index}`, `description: Number ${index}\n`));
    const { result, mib } = await costOf(() => guarded(one).catalogue.list(one.cwd));
    expect(result.length).toBe(10_000);
    expect(result.filter(({ fault, description }) => fault !== null || description === "")).toEqual([]);
    expect(mib).toBeLessThan(150);
  });
});

describe("a directory made to be as bad as possible", () => {
  /** One of each kind whose name fits, as long as a file may be. */
  function evil(kinds = /./): House {
    const one = house();
    for (const [index, [kind, make]] of Object.entries(HOSTILE_FILES).entries()) {
      if (kinds.test(kind)) one.write(`${PLACE}/w${index}.yaml`, make(MIB));
    }
    return one;
  }

  test("costs the process that serves next to nothing, and shows every file (I1)", async () => {
    const one = evil();
    const { catalogue } = guarded(one, { reader: () => ({ ms: 4_000, heapMiB: 256 }) });
    const { result, ms, mib } = await costOf(() => catalogue.list(one.cwd));
    expect(result.map(({ id }) => id).sort()).toEqual(
      readdirSync(join(one.root, PLACE))
        .map((name) => name.replace(".yaml", ""))
        .sort(),
    );
    // The bench has the exact numbers, on a machine that does nothing else; these leave a wide margin.
    expect(ms).toBeLessThan(1_500);
    expect(mib).toBeLessThan(120);
    const faults = result.flatMap(({ fault }) => (fault === null ? [] : [fault.message]));
    expect(faults.some((message) => message.includes("take more than 4 s or 256 MiB"))).toBe(true);
  });

  test("costs seconds without a reader", async () => {
    const one = evil(/^(unknown|states)/);
    const { ms } = await costOf(() => new Catalogue(one.options).list(one.cwd));
    expect(ms).toBeGreaterThan(1_500);
  });

  test("a file at which the reader dies is a finding, and the others are read", async () => {
    const one = house();
    fill(one, 3, (index) => padded(`w${index}`));
    one.write(`${PLACE}/evil.yaml`, HOSTILE_FILES["items in one line"]?.(300 * 1024) ?? "");
    const { catalogue, started } = guarded(one, { reader: () => ({ ms: 60_000, heapMiB: 32 }) });
    const list = await catalogue.list(one.cwd);
    expect(list.map(({ id, fault }) => `${id} ${fault?.code}`)).toEqual([
      "evil WORKFLOW.PARSE.LIMIT_EXCEEDED",
      "w0 undefined",
      "w1 undefined",
      "w2 undefined",
    ]);
    expect(list[0]?.fault?.message).toContain("takes too much time or memory to be read");
    expect(started.readers).toBe(2);
    await expect(catalogue.load(one.cwd, "evil")).rejects.toMatchObject({
      code: "WORKFLOW.PARSE.LIMIT_EXCEEDED",
      message: '"evil" takes more than 60 s or 32 MiB to be read',
    });
  });

  test("a folder of too many names, or files of too many bytes, is shown in part, which is said", async () => {
    const one = house();
    fill(one, 300, (index) => workflow(`w${index}`));
    const few = guarded(one, { folder: () => ({ bytes: MIB, entries: 200, marks: Number.MAX_SAFE_INTEGER }) });
    expect((await few.catalogue.list(one.cwd)).length).toBe(200);
    expect(await few.catalogue.warnings(one.cwd)).toEqual([expect.stringContaining("more than 200 files and folders")]);
    const short = guarded(one, { folder: () => ({ bytes: 4_096, entries: 400, marks: Number.MAX_SAFE_INTEGER }) });
    const listed = await short.catalogue.list(one.cwd);
    expect(listed.length).toBe(300);
    expect(listed.filter(({ fault }) => fault?.message.includes("more than 4096 bytes in all")).length).toBeGreaterThan(
      200,
    );
  });

  test("a summary stays small, whatever its file holds", async () => {
    const one = house();
    const inputs = Array.from({ length: 250 }, (_, k) => `  - {name: i${k}, description: "${"d".repeat(400)}"}\n`);
    const head = `description: "${"x".repeat(10_000)}"\nversion: "${"1".repeat(1_000)}"\ninputs:\n${inputs.join("")}`;
    one.write(`${PLACE}/w.yaml`, workflow("w", head));
    const [summary] = await guarded(one).catalogue.list(one.cwd);
    expect(summary?.description.length).toBe(1_024);
    expect(summary?.inputs.length).toBe(250);
    expect(JSON.stringify(summary).length).toBeLessThan(20_000);
  });
});
