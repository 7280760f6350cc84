import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { keepCompiled } from "./test/support/compiled.ts";
import { needingOwnProcess } from "./test/support/own-process.ts";

// test/real needs programs from the registry: npm run test:real; test/page a browser: npm run test:page; test/cluster
// an engine: npm run test:cluster.
const EXCLUDED = ["test/bench/**", "test/real/**", "test/page/**", "test/cluster/**", "node_modules/**"];
keepCompiled();
const own = needingOwnProcess("test").map((file) => relative(".", file));

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: [...EXCLUDED, ...own],
          isolate: false,
        },
      },
      { extends: true, test: { name: "own", include: own, exclude: EXCLUDED } },
    ],
    pool: "forks",
    maxWorkers: 2,
    // Tests wait for what happens. Only one that hangs meets these, also on a machine that is busy with something else.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // In CI a test whose processes lost a race is tried once more, and named (.ci/flaky.mjs). Elsewhere it fails.
    retry: process.env["CI"] ? 1 : 0,
    // .ci/run reads the counts from the file.
    reporters: ["default", ["json", { outputFile: ".vitest/results.json" }], "./.ci/flaky.mjs"],
    coverage: {
      provider: "v8",
      include: ["machines/**/*.ts", "actors/**/*.ts", "projections/**/*.ts", "transports/**/*.ts"],
      // What needs an engine is run by `npm run test:cluster`.
      exclude: ["actors/host/restate/{engine,engine-host,ingress,services,serving}.ts", "actors/facade/engine/**"],
      reporter: ["text-summary", "json-summary", ...(process.env["CI"] ? [] : ["html"])],
      reportsDirectory: "coverage",
      thresholds: {
        "machines/**/*.ts": { lines: 85 },
        "actors/host/**/*.ts": { lines: 85 },
        "projections/**/*.ts": { lines: 85 },
        "actors/masking/**/*.ts": { lines: 85 },
        "actors/process/**/*.ts": { lines: 85 },
        "actors/acp-client/**/*.ts": { lines: 85 },
        "actors/prompt/**/*.ts": { lines: 85 },
        // Much of these two is driven by processes of the built program, whose lines are not counted.
        "transports/acp/**/*.ts": { lines: 83 },
        "actors/facade/**/*.ts": { lines: 62 },
      },
    },
  },
});
