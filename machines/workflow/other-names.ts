/** Names by which templates and conditions of other workflow languages begin, and what they may be here. */
import { own } from "../model.ts";

const OTHERS: { readonly [name: string]: string } = {
  steps: "states",
  step: "states",
  jobs: "states",
  tasks: "states",
  outputs: "states",
  params: "inputs",
  vars: "inputs",
  variables: "inputs",
  args: "inputs",
  secrets: "env",
  item: "loop.Item",
  matrix: "loop.Item",
  index: "loop.Index",
};

/** What such a name stands for, or null. */
export const meantName = (name: string): string | null => own(OTHERS, name.toLowerCase()) ?? null;

const OTHER_PROPERTIES: { readonly [name: string]: string } = {
  success: "Status",
  outcome: "Status",
  conclusion: "Status",
  result: "Output",
  stdout: "Output",
  text: "Output",
  answer: "Output",
  error: "Stderr",
  code: "ExitCode",
  returncode: "ExitCode",
  outputs: "JSON",
};

/** The property of a state's result that another language's name for it stands for, or null. */
export const meantProperty = (name: string): string | null => own(OTHER_PROPERTIES, name.toLowerCase()) ?? null;
