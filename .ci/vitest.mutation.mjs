// The tests that judge one concern's mutants: `.ci/mutation.mjs` names them in MUTATION_TESTS (a JSON list of paths).
// Stryker's own `testFiles` would do the same, but then it switches mutants of a module's top level on only after the
// module was loaded, and counts each as missed (stryker-js #6144).
import config from "../vitest.config.ts";

// Stryker has a time limit of its own for each change, by how long its tests took without one.
const LONG_MS = 600_000;

export default {
  ...config,
  test: {
    ...config.test,
    // A change is switched on in a process before its modules are loaded: each test has its own.
    projects: undefined,
    include: JSON.parse(process.env["MUTATION_TESTS"] ?? "[]"),
    setupFiles: [new URL("mutants-setup.mjs", import.meta.url).pathname],
    reporters: ["dot"],
    testTimeout: LONG_MS,
    hookTimeout: LONG_MS,
  },
};
