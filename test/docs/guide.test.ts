/** The first workflow of the guide does what it seems to: a build that fails is not published. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Place } from "../transports/cli/started.ts";

const FIRST = /^```yaml\n(name: release\n.*?)^```$/ms;

let place: Place;
beforeEach(() => {
  place = new Place();
  const text = FIRST.exec(readFileSync("docs/guide.md", "utf8"))?.[1] ?? "";
  place.write(".troupe/workflows/release.yaml", text.replace("initial_delay: 1s", "initial_delay: 1ms"));
});
afterEach(() => place.remove());

/** With a `make` of our own, whose targets do this. */
async function release(build: string): Promise<{ code: number | null; steps: string[]; said: string }> {
  const bin = join(place.folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "make"), `#!/bin/sh\ncase "$1" in build) ${build};; esac\n`);
  chmodSync(join(bin, "make"), 0o755);
  const { code, out } = await place.run(["run", "release", "--trust", "-i", "version=1.2.3"], {
    PATH: `${bin}:${process.env["PATH"]}`,
  });
  return { code, steps: [...out.matchAll(/^ {2}→ (\S+)/gm)].map(([, step = ""]) => step), said: out };
}

it("publishes a build that has succeeded", async () => {
  expect(await release("echo built")).toMatchObject({ code: 0, steps: ["build", "publish"] });
});

it("has one looked at that is deprecated", async () => {
  expect(await release("echo deprecated")).toMatchObject({ code: 0, steps: ["build", "review", "publish"] });
});

it("ends with the code of `on_failure` where the build fails", async () => {
  const { said, ...rest } = await release("echo deprecated; echo broken >&2; exit 2");
  expect(rest).toEqual({ code: 3, steps: ["build"] });
  expect(said).toContain("build failed: broken");
});
