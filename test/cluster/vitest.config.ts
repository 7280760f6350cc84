import { defineConfig } from "vitest/config";
import { keepCompiled } from "../support/compiled.ts";

keepCompiled();

export default defineConfig({
  test: {
    include: [
      "test/actors/host/{delivery,workers,timers,follow}.test.ts",
      "test/actors/host/restate/{engine-host,live-side,moves,pieces-service,taking,upgrade}.test.ts",
      "test/cluster/*.test.ts",
    ],
    globalSetup: ["test/cluster/engine.ts"],
    reporters: ["default", ["json", { outputFile: ".vitest/cluster.json" }], "./.ci/flaky.mjs"],
    retry: process.env["CI"] ? 1 : 0,
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 15_000,
    hookTimeout: 30_000,
  },
});
