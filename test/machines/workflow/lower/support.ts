/** A step of each kind in the smallest workflow: its node and what is said of its line, and what a kind has by default. */
import { parse } from "../fixtures.ts";

const COMMON = {
  ...{ name: "a", line: 4, transitions: [], onSuccess: "z", onFailure: null, continueOnError: false, timeoutMs: null },
  ...{ retry: null, recover: null, approval: null, hooks: { pre: [], post: [] }, dependsOn: [] },
};
const AGENT = {
  ...{ ...COMMON, type: "agent", provider: "codex", prompt: { text: "hi" }, options: {}, outputFormat: null },
  ...{ mode: "single", systemPrompt: null, role: null, skills: [], conversation: null, mcpProxy: null },
};
const COMMAND = { ...COMMON, type: "command", run: { command: "x" }, dir: null, maxOutputBytes: null };
const LOOP = { ...COMMON, onSuccess: null, body: ["b"], maxIterations: 100, breakWhen: null, onComplete: "z" };
/** What steps of a kind have where nothing is said. */
const KINDS = {
  agent: AGENT,
  command: COMMAND,
  call_workflow: { ...COMMON, type: "call_workflow" },
  operation: { ...COMMON, type: "operation" },
  parallel: { ...COMMON, type: "parallel" },
  for_each: { ...LOOP, type: "for_each", items: [1] },
  while: { ...LOOP, type: "while", test: "true" },
  ask: { ...COMMON, type: "ask", message: null },
  terminal: { type: "terminal", name: "a", line: 4 },
};
export type Kind = keyof typeof KINDS;
/** A step, what its node has besides (null: there is no workflow), and what is said: column, message, what was expected. */
export type Case = [step: string, more: object | null, said: string[]];

/** The node of the step "a", or null, and what is said of its line. */
export function lowered(step: string, awf = false): { node: object | null; said: string[] } {
  const states = [
    "  initial: a",
    `  a: ${step}`,
    "  b: {type: command, command: x, on_success: z}",
    "  z: {type: terminal}",
  ];
  const { workflow, findings } = parse(["name: w", "states:", ...states].join("\n"), { awf });
  const said = findings
    .filter(({ line }) => line === 4)
    .map(({ column, severity, message, expected }) => {
      const warns = severity === "warning" ? "(warning) " : "";
      return `${column} ${warns}${message}${expected === undefined ? "" : ` | ${expected}`}`;
    });
  return { node: workflow?.states["a"] ?? null, said };
}
export const nodeOf = (kind: Kind, more: object | null) => (more === null ? null : { ...KINDS[kind], ...more });
