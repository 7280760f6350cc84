/** A name that stands within the file of a workflow, and that its user takes for the one that it is run by. */
import { expect, test } from "vitest";
import { house, workflow } from "./support.ts";

const refusal = async (name: string): Promise<unknown> => {
  const there = house();
  there.write("work/.troupe/workflows/notes.yaml", workflow("release-notes"));
  there.write("work/.troupe/workflows/fix.yaml", workflow("Fix the tests"));
  there.write("work/.troupe/workflows/one.yaml", workflow("same"));
  there.write("work/.troupe/workflows/two.yaml", workflow("same"));
  there.write("work/.troupe/workflows/broken.yaml", "name: [");
  const error = await there.catalogue.load(there.cwd, name).catch((each: unknown) => each);
  const { code, message, details } = error as { code: string; message: string; details: { suggestion?: unknown } };
  return { code, message, suggestion: details.suggestion };
};
const named = (name: string, meant: string): string =>
  `there is no workflow "${name}", but one of that \`name\`: a workflow is run by the name of its file; did you mean ${meant}?`;

test.each([
  ["release-notes", "release-notes", '"notes"'],
  ["local/release-notes", "release-notes", '"notes"'],
  ["Fix the tests", "Fix the tests", '"fix"'],
  ["same", "same", '"one" or "two"'],
])("%s leads to the file that says so", async (given, name, meant) => {
  expect(await refusal(given)).toEqual({
    code: "USER.FACADE.WORKFLOW_NOT_FOUND",
    message: named(name, meant),
    suggestion: meant.split('"')[1],
  });
});

test("one that no file says is unknown as before", async () => {
  expect(await refusal("other")).toEqual({
    code: "USER.FACADE.WORKFLOW_NOT_FOUND",
    message: 'there is no workflow "other": `troupe list` shows what there is',
    suggestion: null,
  });
});
