/** Workflows with a slip each, and what is said of it. */

/** A step that leaves a trace, and then one with a mistake. */
const flow = (name: string, step: string, inputs = ""): string =>
  `name: ${name}\n${inputs}states:\n  initial: touch\n  touch: {command: touch footprint, on_success: slip}\n  slip: {${step}, on_success: done}\n  done: {type: terminal}\n`;
export const agent = (fields: string): string => `type: agent, provider: understudy, ${fields}`;

/** The text in the file, and what is reported about it. */
export const SLIPS: { readonly [name: string]: readonly [text: string, code: string, place: string, said: string] } = {
  provider: [
    flow("provider", "type: agent, provider: cluade, prompt: x"),
    "WORKFLOW.VALIDATION.FAILED",
    "5:33",
    'there is no provider "cluade"; did you mean "claude"?',
  ],
  option: [
    flow("option", "type: agent, provider: claude, prompt: x, options: {modle: m}"),
    "WORKFLOW.VALIDATION.FAILED",
    "5:62",
    'claude has no option "modle"; did you mean "model"?',
  ],
  value: [
    flow("value", "type: agent, provider: claude, prompt: x, options: {max_turns: many}"),
    "WORKFLOW.VALIDATION.FAILED",
    "5:73",
    '"max_turns" of claude must be a whole number above 0',
  ],
  operation: [
    flow("operation", "operation: githb.get_issue, inputs: {number: 1}"),
    "WORKFLOW.VALIDATION.FAILED",
    "5:21",
    'there is no operation "githb.get_issue"; did you mean "github.get_issue"?',
  ],
  input: [
    flow("input", "operation: http.request, inputs: {ulr: 'https://x', method: GET}"),
    "WORKFLOW.VALIDATION.FAILED",
    "5:44",
    'http.request has no input "ulr"; did you mean "url"?',
  ],
  prompt: [
    flow("prompt", agent("prompt_file: ../../prompts/revew.md")),
    "WORKFLOW.VALIDATION.FAILED",
    "5:58",
    '"../../prompts/revew.md" does not exist; did you mean "../../prompts/review.md"?',
  ],
  script: [
    flow("script", 'script_file: "{{.awf.scripts_dir}}/deplo.sh"'),
    "WORKFLOW.VALIDATION.FAILED",
    "5:23",
    'does not exist; did you mean "{{.awf.scripts_dir}}/deploy.sh"?',
  ],
  folder: [
    flow("folder", "script_file: deploy.sh"),
    "WORKFLOW.VALIDATION.FAILED",
    "5:23",
    '"deploy.sh" does not exist; did you mean "{{.awf.scripts_dir}}/deploy.sh"?',
  ],
  near: [
    flow("near", agent("prompt_file: prompts/as.md")),
    "WORKFLOW.VALIDATION.FAILED",
    "5:58",
    '"prompts/as.md" does not exist; did you mean "{{.awf.prompts_dir}}/ask.md"?',
  ],
  role: [
    flow("role", agent("prompt: x, role: rviewer")),
    "WORKFLOW.VALIDATION.FAILED",
    "5:62",
    'there is no role "rviewer"; did you mean "reviewer"?',
  ],
  skill: [
    flow("skill", agent("prompt: x, skills: [audti]")),
    "WORKFLOW.VALIDATION.FAILED",
    "5:65",
    'there is no skill "audti"; did you mean "audit"?',
  ],
  rules: [
    flow("rules", agent("prompt: x, options: {permissions: {execute: allow}}")),
    "WORKFLOW.VALIDATION.FAILED",
    "5:79",
    "options.permissions.execute: expected ask or deny",
  ],
  default: [
    flow("default", "command: x", "inputs: [{name: mode, default: fulll, validation: {enum: [full, quick]}}]\n"),
    "WORKFLOW.VALIDATION.FAILED",
    "2:32",
    'the default of input "mode" is "fulll": expected one of full, quick; did you mean "full"?',
  ],
  called: [
    flow("called", "workflow: provder, inputs: {}"),
    "WORKFLOW.VALIDATION.FAILED",
    "5:20",
    'there is no workflow "provder": did you mean "provider"?',
  ],
  given: [
    flow("given", "workflow: child, inputs: {nam: x}"),
    "WORKFLOW.VALIDATION.FAILED",
    "5:36",
    '"child" has no input "nam"; did you mean "name"?',
  ],
  below: [
    flow("below", "workflow: provider"),
    "WORKFLOW.VALIDATION.FAILED",
    "5:20",
    '"provider" cannot be run: .troupe/workflows/provider.yaml:5:33: there is no provider "cluade"',
  ],
  program: [
    flow("program", "type: agent, provider: codex, prompt: x"),
    "WORKFLOW.PREFLIGHT.REFUSED",
    "5:33",
    'Codex is not installed here: there is no "codex" in PATH: expected its program: npm install -g @openai/codex',
  ],
  "as-agent": [
    flow("as-agent", "type: agent, agent: codex, prompt: x"),
    "WORKFLOW.PREFLIGHT.REFUSED",
    "5:30",
    'Codex is not installed here: there is no "codex" in PATH',
  ],
  elsewhere: [
    flow("elsewhere", "type: agent, provider: somebody, prompt: x"),
    "WORKFLOW.PREFLIGHT.REFUSED",
    "5:33",
    'there is no provider "somebody"',
  ],
  tool: [
    flow("tool", "operation: tickets.find, inputs: {}"),
    "WORKFLOW.PREFLIGHT.REFUSED",
    "5:21",
    'there is no operation "tickets.find"',
  ],
};
export const OTHERS: { readonly [file: string]: string } = {
  ".troupe/workflows/child.yaml":
    "name: child\ninputs: [{name: name, default: x}]\noutputs: {said: hello}\nstates: {initial: d, d: {type: terminal}}\n",
  ".troupe/workflows/giver.yaml": flow(
    "giver",
    "workflow: child, inputs: {zebra: x}, outputs: {said: here, tail: there}",
  ).replace("done: {", 'done: {message: "{{.states.slip.JSON.here}}", '),
  ".awf/workflows/slack.yaml":
    "name: slack\nstates:\n  initial: c\n  c: {type: call_workflow, workflow: child, inputs: {nmae: x}, on_success: d}\n  d: {type: terminal}\n",
  ".awf/workflows/child.yaml":
    "name: child\ninputs: [{name: name, default: x}]\nstates:\n  initial: d\n  d: {type: terminal}\n",
  ".troupe/roles/reviewer/AGENTS.md": "You review.\n",
  ".troupe/skills/audit/SKILL.md": "How to audit.\n",
  ".troupe/scripts/deploy.sh": "true\n",
  ".troupe/prompts/ask.md": "Ask.\n",
  "prompts/review.md": "Review.\n",
  ".troupe/workflows/whole.yaml": flow(
    "whole",
    `${agent('prompt_file: "../../prompts/{{.inputs.kind}}.md", role: reviewer, skills: [audit], options: {script: [{say: read}]}')}`,
    "inputs: [{name: kind, default: review}]\n",
  ),
};
