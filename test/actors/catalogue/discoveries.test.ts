/** Covers I1–I3 of kept looks: whatever happens to the folders, what is found is what a new look finds. */
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Budget } from "../../../actors/base/budget.ts";
import { FOLDER } from "../../../actors/catalogue/catalogue.ts";
import { discover } from "../../../actors/catalogue/discover.ts";
import { Discoveries, SETTLED_MS } from "../../../actors/catalogue/discoveries.ts";
import { searchPaths } from "../../../actors/catalogue/search-paths.ts";
import { type House, house, workflow } from "./support.ts";

const WORKFLOWS = "work/.troupe/workflows";

function looked(one: House, lateMs: number) {
  one.write(`${WORKFLOWS}/a.yaml`, workflow("a"));
  one.write(`${WORKFLOWS}/b.yaml`, workflow("b"));
  const discoveries = new Discoveries({ ...one.options, now: () => Date.now() + lateMs });
  const first = discoveries.of(one.cwd, new Budget(FOLDER));
  return { discoveries, first, again: () => discoveries.of(one.cwd, new Budget(FOLDER)) };
}
const LATE = 2 * SETTLED_MS;

describe("a look at a directory", () => {
  test("is kept while nothing changes", () => {
    const { first, again } = looked(house(), LATE);
    expect([...first.found.keys()]).toEqual(["a", "b"]);
    expect(again()).toBe(first);
  });

  test("is not kept where a folder has just changed (I3)", () => {
    const { first, again } = looked(house(), 0);
    expect(again()).not.toBe(first);
    expect(again()).toEqual(first);
  });

  const changes: [string, (one: House) => void][] = [
    ["a file more", (one) => one.write(`${WORKFLOWS}/c.yaml`, workflow("c"))],
    ["a file less", (one) => rmSync(join(one.root, WORKFLOWS, "a.yaml"))],
    ["a link more", (one) => one.link(`${WORKFLOWS}/c.yaml`, `${WORKFLOWS}/a.yaml`)],
    ["a place that was missing", (one) => one.write("work/.awf/workflows/c.yaml", workflow("c"))],
    ["a place of the user's", (one) => one.write("home/.config/troupe/workflows/c.yaml", workflow("c"))],
    [
      "a pack",
      (one) => {
        const pack = "work/.troupe/workflow-packs/p";
        one.write(`${pack}/manifest.yaml`, 'name: p\nversion: "1.0.0"\nworkflows: [c]\n');
        one.write(`${pack}/workflows/c.yaml`, workflow("c"));
      },
    ],
    [
      "the same folder, now behind a link that leads out",
      (one) => {
        renameSync(join(one.cwd, ".troupe"), join(one.root, "elsewhere"));
        symlinkSync(join(one.root, "elsewhere"), join(one.cwd, ".troupe"));
      },
    ],
    [
      "another folder in its place",
      (one) => {
        rmSync(join(one.cwd, ".troupe"), { recursive: true });
        mkdirSync(join(one.cwd, ".troupe", "workflows"), { recursive: true });
      },
    ],
  ];
  test.each(changes)("sees %s (I2)", (_, change) => {
    const one = house();
    const { first, again } = looked(one, LATE);
    change(one);
    const fresh = discover(searchPaths(one.cwd, one.options), new Budget(FOLDER));
    expect([...fresh.found.keys()]).not.toEqual([...first.found.keys()]);
    expect([...again().found.entries()]).toEqual([...fresh.found.entries()]);
  });

  test.each([
    ["leads nowhere", "work/dots", "work/.troupe"],
    ["leads to a folder without workflows", "home/dots/troupe", "home/.config/troupe"],
  ])("sees what comes to be behind a link that %s (I2)", (_, target, place) => {
    const one = house();
    if (target.endsWith("troupe")) one.write(`${target}/config.yaml`, "");
    one.link(place, target);
    const discoveries = new Discoveries({ ...one.options, now: () => Date.now() + LATE });
    expect([...discoveries.of(one.cwd, new Budget(FOLDER)).found.keys()]).toEqual([]);
    one.write(`${target}/workflows/c.yaml`, workflow("c"));
    const fresh = discover(searchPaths(one.cwd, one.options), new Budget(FOLDER));
    expect([...discoveries.of(one.cwd, new Budget(FOLDER)).found.keys()]).toEqual([...fresh.found.keys()]);
  });

  test.each([
    ["a link to a file", (one: House) => one.link(`${WORKFLOWS}/c.yaml`, `${WORKFLOWS}/a.yaml`)],
    ["a link to nothing", (one: House) => one.link(`${WORKFLOWS}/c.yaml`, "nowhere.yaml")],
    ["a folder behind a link", (one: House) => one.link("home/.config/troupe/workflows", WORKFLOWS)],
    ["a pack", (one: House) => mkdirSync(join(one.cwd, ".troupe", "workflow-packs", "p"), { recursive: true })],
  ])("that met %s is not kept (I1)", (_, put) => {
    const one = house();
    one.write(`${WORKFLOWS}/a.yaml`, workflow("a"));
    put(one);
    const { first, again } = looked(one, LATE);
    expect(again()).not.toBe(first);
  });
});
