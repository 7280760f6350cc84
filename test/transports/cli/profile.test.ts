/** `troupe run --profile`, in a process of its own: what a user sends who asks why a run is slow. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PHASES, type Span } from "../../../transports/cli/profile.ts";
import { Place } from "./started.ts";

const CANARY = "canary-4711-of-an-input";
const WORKFLOW = `name: two
inputs:
  - {name: word, type: string, required: true}
states:
  initial: a
  a: {type: step, command: "echo {{.inputs.word}} > said", on_success: b}
  b: {type: step, command: "exit 3", on_success: done}
  done: {type: terminal}
`;
const TRUSTED = { TROUPE_TRUST: "1" };

let place: Place;
beforeEach(() => {
  place = new Place({ ".troupe/workflows/two.yaml": WORKFLOW });
});
afterEach(() => place.remove());

function profileOf(path: string): { spans: Span[]; samples: number[]; nodes: unknown[]; startTime: number } {
  return JSON.parse(readFileSync(path, "utf8")) as ReturnType<typeof profileOf>;
}

test("a profile has samples, and a span for each phase, one after the other, also of a run that fails", async () => {
  const { code, err } = await place.run(["run", "two", "-i", `word=${CANARY}`, "--profile", "why.cpuprofile"], TRUSTED);
  const path = join(place.cwd, "why.cpuprofile");
  expect([code, err.includes(`profile: ${path}\n  start `)]).toEqual([3, true]);
  const { spans, samples, nodes, startTime } = profileOf(path);
  expect([samples.length > 10, nodes.length > 10, startTime > 0]).toEqual([true, true, true]);
  expect(spans.map(({ phase }) => phase)).toEqual([...PHASES]);
  expect(spans.slice(1).map(({ from }) => from)).toEqual(spans.slice(0, -1).map(({ to }) => to));
  expect(spans.filter(({ from, to }) => to < from)).toEqual([]);
  expect(spans.filter(({ phase }) => phase === "start" || phase === "first step").every((s) => s.to > s.from)).toBe(
    true,
  );
  // It is to be sent to others: nothing of the run stands in it.
  const text = readFileSync(path, "utf8");
  expect([text.includes(CANARY), text.includes("echo ")]).toEqual([false, false]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("without a name it is a new file, and standard output stays what it is", async () => {
  const args = ["run", "two", "-i", "word=x", "--format", "json", "--profile"];
  const { out } = await place.run(args, TRUSTED);
  const names = readdirSync(place.cwd).filter((name) => name.endsWith(".cpuprofile"));
  expect(names.map((name) => name.replace(/\d{14}/, "TIME"))).toEqual(["troupe-TIME.cpuprofile"]);
  expect(
    out
      .trim()
      .split("\n")
      .map((line) => typeof JSON.parse(line))
      .includes("string"),
  ).toBe(false);
  expect(out).not.toContain("profile:");
});

test("a file that cannot be written is reported before anything runs", async () => {
  const { code, err } = await place.run(["run", "two", "-i", "word=x", "--profile=/no/such/x"], TRUSTED);
  expect([code, err.includes("SYSTEM.IO.WRITE_FAILED"), existsSync(join(place.cwd, "said"))]).toEqual([4, true, false]);
});
