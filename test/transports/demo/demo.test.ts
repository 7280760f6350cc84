import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Place } from "../cli/started.ts";

it("drives `troupe acp` in another process through the shipped workflow, and leaves nothing behind", async () => {
  const place = new Place();
  const temporary = join(place.folder, "tmp");
  mkdirSync(temporary);
  const { code, out, err } = await place.run(["demo"], { TMPDIR: temporary });
  expect([code, err]).toEqual([0, ""]);
  const lines = out.split("\n");
  for (const line of [
    "/demo [name=world]  A tour with no key: commands, a fan-out, a loop, and an agent played from a script",
    "> /demo name=reader",
    "  ● Trust this directory",
    "Plan",
    "  ☐ Let the agent write it",
    "┌ Check the licence (execute)",
    "│ greetings are free",
    "A greeting should be short. One line will do.",
    "┌ Write troupe-demo.txt (edit)",
    "│ + Hello, reader!",
    "The greeting is: Hello, reader!",
    "✓ the turn ended: end_turn",
  ]) {
    expect(lines).toContain(line);
  }
  expect(lines.filter((line) => line.startsWith("└ ✓ One tick"))).toHaveLength(3);
  expect(lines.filter((line) => line.startsWith("plan: ")).at(-1)).toContain("☑ Read it back");
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(place.cwd)).toEqual([]);
  expect(readdirSync(place.home)).toEqual([]);
  place.remove();
});

it("says that the agent has ended where it cannot begin, with its own reason above", async () => {
  const place = new Place();
  const folder = join(place.folder, "config", "troupe");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "acp.json"), "no JSON");
  const { code, err } = await place.run(["demo"]);
  expect(code).toBe(3);
  expect(err).toMatch(/acp\.json/);
  expect(err).toMatch(/ended before it had answered(.|\n)*EXECUTION\.AGENT\.CRASHED/);
  place.remove();
});
