// A reporter for vitest that names each test that passed only when it was tried again: it is to be mended, not forgotten.

export default class Flaky {
  onTestRunEnd(modules) {
    const names = modules.flatMap((module) =>
      [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky).map(({ fullName }) => fullName),
    );
    for (const name of names) process.stdout.write(`flaky, passed when tried again: ${name}\n`);
  }
}
