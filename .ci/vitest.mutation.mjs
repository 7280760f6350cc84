// The tests that judge one concern's mutants: `.ci/mutation.mjs` names them in MUTATION_TESTS (a JSON list of paths).
// Stryker's own `testFiles` would do the same, but then it switches mutants of a module's top level on only after the
// module was loaded, and counts each as missed (stryker-js #6144).
import config from "../vitest.config.ts";

export default {
  ...config,
  test: { ...config.test, include: JSON.parse(process.env["MUTATION_TESTS"] ?? "[]"), reporters: ["dot"] },
};
