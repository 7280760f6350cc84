/** A name that a directory does not know, and that its user has seen nearby. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type House, house, workflow } from "./support.ts";

const refusal = async ({ catalogue }: House, cwd: string, name: string): Promise<string> => {
  const error = await catalogue.load(cwd, name).catch((each: unknown) => each);
  return (error as Error).message;
};

describe("in a package that has workflows of its own", () => {
  const package_ = (): { there: House; app: string } => {
    const there = house();
    there.write("work/.git/HEAD", "");
    there.write("work/packages/app/.troupe/workflows/own.yaml", workflow("own"));
    return { there, app: join(there.cwd, "packages", "app") };
  };
  test.each([
    ["release", "work/.troupe/workflows/release.yaml"],
    ["release", "work/.awf/workflows/release.yml"],
    ["local/release", "work/.troupe/workflows/release.yaml"],
    ["tools/lint", "work/.troupe/workflow-packs/tools/workflows/lint.yaml"],
  ])("%s of the repository's root is named with its place, %s", async (name, path) => {
    const { there, app } = package_();
    const file = there.write(path, workflow("release"));
    const shown = `"${name.replace("local/", "")}" in ${app}, but ${there.cwd} has one`;
    expect(await refusal(there, app, name)).toBe(
      `there is no workflow ${shown}: run it from there, or give the path of its file, ${file}`,
    );
  });
  test("one above the repository is not looked for", async () => {
    const { there, app } = package_();
    there.write(".troupe/workflows/release.yaml", workflow("release"));
    expect(await refusal(there, app, "release")).toBe(
      'there is no workflow "release": `troupe list` shows what there is',
    );
  });
});

test("a folder behind a link that is skipped is named", async () => {
  const there = house();
  there.write("shared/workflows/release.yaml", workflow("release"));
  there.link("work/.troupe", "shared");
  const link = join(there.cwd, ".troupe", "workflows");
  expect(await refusal(there, there.cwd, "release")).toBe(
    `there is no workflow "release": \`troupe list\` shows what there is. ${link} is skipped: the link leads out of ${there.cwd}; TROUPE_WORKFLOWS_PATH may name a folder anywhere`,
  );
});
