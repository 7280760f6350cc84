import { defineConfig } from "vitest/config";
import { keepCompiled } from "../support/compiled.ts";

keepCompiled();

export default defineConfig({
  test: {
    include: ["test/real/**/*.test.ts"],
    // `npm run test:sdks`: a program in Rust takes minutes to build.
    exclude: ["test/real/sdks/**"],
    globalSetup: ["test/real/install.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // In CI a failed test is tried once more and named (.ci/flaky.mjs). Elsewhere it fails.
    retry: process.env["CI"] ? 1 : 0,
    // .ci/run reads the counts from the file.
    reporters: ["default", ["json", { outputFile: ".vitest/real.json" }], "./.ci/flaky.mjs"],
  },
});
