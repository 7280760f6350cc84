/** The page in a real browser: `npm run test:page`. With TROUPE_PICTURES=1 it makes the pictures of docs/page.md anew. */
import { defineConfig } from "vitest/config";
import { keepCompiled } from "../support/compiled.ts";

keepCompiled();

export default defineConfig({
  test: {
    include: ["test/page/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // As in the other suites: tried once more in CI, and named.
    retry: process.env["CI"] ? 1 : 0,
    reporters: ["default", ["json", { outputFile: ".vitest/page.json" }], "./.ci/flaky.mjs"],
  },
});
