import { describe, expect, it } from "vitest";
import { pidsAfter, readLinuxTable } from "../../../actors/process/linux-table.ts";
import { start, until } from "./support.ts";

describe("pidsAfter (I1)", () => {
  const list = () => [1, 5, 310, 32_700, 32_760];
  it.each([
    ["none came later", 40, 40, []],
    ["a few came later", 40, 43, [41, 42, 43]],
    ["many came later: only those that run", 4, 400, [5, 310]],
    ["the numbers went round", 32_710, 320, [1, 5, 310, 32_760]],
  ])("%s", (_, first, last, expected) => {
    expect(pidsAfter(first, last, list)).toEqual(expected);
  });
});

describe.runIf(process.platform === "linux")("readLinuxTable", () => {
  it("tells an empty environment from a process inside exec (I2)", async () => {
    const child = start(["/bin/cat"], { stdin: "pipe", env: {}, marker: {} });
    expect(readLinuxTable([child.pid!]).map(({ owner, blank }) => [owner, blank])).toEqual([[null, false]]);
    await child.terminate();
  });

  it("finds no process inside exec among kernel threads and idle processes", () => {
    const low = readLinuxTable([1, 2, 3, process.pid]);
    expect(low.filter(({ blank }) => blank)).toEqual([]);
    expect(low.map(({ pid }) => pid)).toContain(process.pid);
  });

  it("marked: has the whole rows of what carries a marker, and none else", async () => {
    const [plain, marked] = [start(["cat"], { stdin: "pipe", marker: {} }), start(["cat"], { stdin: "pipe" })];
    const found = () => readLinuxTable("marked").filter(({ pid }) => pid === plain.pid || pid === marked.pid);
    await until(() => found().length > 0);
    expect(found()).toEqual(readLinuxTable([marked.pid!]));
    await Promise.all([plain, marked].map((one) => one.terminate()));
  });
});
