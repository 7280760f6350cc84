/** Workflows for the program in a process of its own. */

export const workflow = (name: string, states: string): [string, string] => [
  `.troupe/workflows/${name}.yaml`,
  `name: ${name}\nstates:\n  initial: a\n${states}  z: { type: terminal, message: "over" }\n`,
];
export const FILES = Object.fromEntries([
  workflow("ok", '  a: { type: step, command: "echo one; echo two >> ran.txt", on_success: z }\n'),
  workflow(
    "authored",
    '  a: { type: step, command: "exit 7", on_success: z, on_failure: { message: "no luck", status: 9 } }\n',
  ),
  workflow("failing", '  a: { type: step, command: "exit 7", on_success: z }\n'),
  workflow("ticking", '  a: { type: step, command: "while true; do echo tick; sleep 0.1; done", on_success: z }\n'),
  workflow("broken", '  a: { type: step, command: "echo {{.inputs.x}}", on_success: z }\n'),
  workflow(
    "slow",
    '  a: { type: step, command: "echo once >> once.txt; echo one", on_success: b }\n' +
      '  b: { type: step, command: "echo two; test -e go || sleep 60; echo three", on_success: z }\n',
  ),
]);
