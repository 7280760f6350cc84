import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/cluster/nodes/**/*.test.ts"],
    globalSetup: ["test/cluster/installed.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
