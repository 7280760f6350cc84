import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needingOwnProcess } from "./own-process.ts";

test("what mocks, what says so and what a helper's hooks are for has its own process; a plain test has none (I1, I2)", () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-own-"));
  const files = {
    "plain.test.ts": 'import { beforeEach } from "vitest";\nbeforeEach(() => {});',
    "mocks.test.ts": `${"vi"}.mock("node:fs");`,
    "env.test.ts": `${"process"}.env["TROUPE_X"] = "1";`,
    "reads.test.ts": `if (${"process"}.env["TROUPE_X"] === "1") expect(1).toBe(1);`,
    "told.test.ts": "// own process: it counts open files.",
    "helped.test.ts": 'import { stage } from "./between.ts";',
    "between.ts": 'export { stage } from "./stage.ts";',
    "stage.ts": "afterEach(() => undefined);",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const own = needingOwnProcess(folder).map((file) => file.slice(folder.length + 1));
  expect(own.sort()).toEqual(["env.test.ts", "helped.test.ts", "mocks.test.ts", "told.test.ts"]);
  rmSync(folder, { recursive: true });
});
