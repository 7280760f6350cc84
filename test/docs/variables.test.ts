/** Every variable of the environment by which a user says something to Troupe stands in docs/configuration.md. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Set by Troupe for what it starts, and read there again. */
const OWN = ["TROUPE_OWNER", "TROUPE_SCOPE", "TROUPE_TOOLS_SOCKET", "TROUPE_TOOLS_TOKEN", "TROUPE_VALUES", "TROUPE_T"];
/** Of the build. */
const BUILT = ["TROUPE_BUILD"];

test("no variable is read that the page of the configuration does not name", () => {
  const files = globSync("{actors,machines,projections,transports}/**/*.ts");
  const read = new Set(files.flatMap((file) => readFileSync(file, "utf8").match(/\bTROUPE_[A-Z_]+\b/g) ?? []));
  const page = readFileSync("docs/configuration.md", "utf8");
  const told = new Set(page.match(/\bTROUPE_[A-Z_]+(?=<NAME>|\b)/g));
  const examples = [...read].filter((name) => name.startsWith("TROUPE_INPUT_"));
  expect(told).toContain("TROUPE_INPUT_");
  expect([...read].filter((name) => ![...told, ...OWN, ...BUILT, ...examples].includes(name))).toEqual([]);
  expect([...told].filter((name) => !read.has(name) && name !== "TROUPE_INPUT_")).toEqual([]);
});
