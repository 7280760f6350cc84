import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/actors/host/{delivery,workers,timers,follow}.test.ts", "test/cluster/**/*.test.ts"],
    globalSetup: ["test/cluster/engine.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 15_000,
    hookTimeout: 30_000,
  },
});
