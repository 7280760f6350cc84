/** What `type` is called in other workflow languages, and what it is here. */
import { own } from "../../model.ts";
import type { StepWord } from "../schema/steps.ts";

/** `type`: ours; null where it is no step here. `why`: what to write, in words. */
export type MeantType = { type: StepWord | null; why: string };

const COMMAND = { type: "command", why: "type: command, whose command is run by the shell" } as const;
const WAIT = { type: "command", why: "type: command, such as command: sleep 30" } as const;
const AGENT = { type: "agent", why: "type: agent, with provider and prompt; type: ask asks a person" } as const;
const OPERATION = { type: "operation", why: "type: operation, with operation, such as http.request" } as const;
const CALL = { type: "call_workflow", why: "type: call_workflow, with workflow and inputs" } as const;
const LOOP = { type: "for_each", why: "type: for_each, with items and body; type: while has a condition" } as const;
const ASK = { type: "ask", why: "type: ask, with questions for a person" } as const;
const CONSENT = {
  type: "ask",
  why: "approval: true on the step that needs a yes, or type: ask, with a question of type: boolean",
} as const;
const END = { type: "terminal", why: "type: terminal, with status: success or failure" } as const;
const BRANCH = {
  type: null,
  why: "transitions, each with when and goto, on the state before: no step decides",
} as const;
const TEMPLATE = {
  type: null,
  why: "no type, and use_template with the name of a file in templates, with parameters",
} as const;

const OTHERS: { readonly [word: string]: MeantType } = {
  run: COMMAND,
  shell: COMMAND,
  sh: COMMAND,
  bash: COMMAND,
  script: COMMAND,
  exec: COMMAND,
  task: COMMAND,
  wait: WAIT,
  sleep: WAIT,
  delay: WAIT,
  prompt: AGENT,
  llm: AGENT,
  ai: AGENT,
  model: AGENT,
  chat: AGENT,
  tool: OPERATION,
  http: OPERATION,
  request: OPERATION,
  workflow: CALL,
  call: CALL,
  subworkflow: CALL,
  loop: LOOP,
  map: LOOP,
  question: ASK,
  input: ASK,
  human: ASK,
  user: ASK,
  form: ASK,
  approval: CONSENT,
  approve: CONSENT,
  confirm: CONSENT,
  confirmation: CONSENT,
  manual: CONSENT,
  gate: CONSENT,
  end: END,
  final: END,
  exit: END,
  use_template: TEMPLATE,
  template: TEMPLATE,
  if: BRANCH,
  condition: BRANCH,
  switch: BRANCH,
  branch: BRANCH,
  choice: BRANCH,
};

/** What another language's word for a type stands for, or null. */
export const meantType = (word: string): MeantType | null => own(OTHERS, word.toLowerCase()) ?? null;
