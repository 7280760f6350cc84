/** One mistake in a state is one message: what only follows from it is not reported. */
import { describe, expect, it } from "vitest";
import { parse } from "../fixtures.ts";

const told = (source: string, awf = false): string[] =>
  parse(source, { awf }).findings.map(({ line, message, suggestion }) => `${line} ${message} -> ${suggestion ?? "-"}`);
const steps = (lines: string): string => `name: x\nstates:\n  initial: a\n${lines}  done: {type: terminal}\n`;

describe("one cause, one message", () => {
  it.each([
    [
      "a way on that is misspelt",
      "  a: {command: x, on_sucess: b}\n  b: {command: x, on_success: done}\n",
      ['4 command step "a" has no field "on_sucess" -> on_success'],
    ],
    [
      "a way on in a word of another language",
      "  a: {command: x, next: b}\n  b: {command: x, on_success: done}\n",
      ['4 command step "a" has no field "next" -> on_success'],
    ],
    [
      "a field that is not known and names a state",
      "  a: {command: x, continue_with: b}\n  b: {command: x, on_success: done}\n",
      ['4 command step "a" has no field "continue_with" -> -'],
    ],
    [
      "branches under another name",
      "  a: {type: parallel, parallell: [b], on_success: done}\n  b: {command: x}\n",
      ['4 parallel step "a" has no field "parallell" -> parallel'],
    ],
    [
      "branches in a word of another language",
      "  a: {type: parallel, branches: [b], on_success: done}\n  b: {command: x}\n",
      ['4 parallel step "a" has no field "branches" -> parallel'],
    ],
    [
      "a body in a word of another language",
      "  a: {type: for_each, items: [x], do: [b], on_complete: done}\n  b: {command: x}\n",
      ['4 for each step "a" has no field "do" -> body'],
    ],
    [
      "choices in a word of another language",
      "  a: {type: ask, questions: [{name: q, prompt: Which?, options: [x, y]}], on_success: done}\n",
      ['4 "options" is not known here -> choices'],
    ],
    [
      "a command that is a list",
      "  a: {type: command, command: [ls, -l], on_success: done}\n",
      ['4 "command" must be text, not a list -> -'],
    ],
    [
      "items that are a number",
      "  a: {type: for_each, items: 5, body: [b], on_complete: done}\n  b: {command: x}\n",
      ['4 "items" must be a list, or a template that gives one, not 5 -> -'],
    ],
    [
      "a field of an agent that stands deeper",
      "  a: {type: agent, provider: p, prompt: x, model: m, on_success: done}\n",
      ['4 agent step "a" has no field "model" -> options.model'],
    ],
    [
      "a limit of a budget in another word",
      "  a: {type: agent, provider: p, prompt: x, budget: {cost: 5}, on_success: done}\n",
      ['4 "cost" is not known here -> cost_usd'],
    ],
    [
      "a status in another word",
      "  a: {command: x, on_success: b, on_failure: done}\n  b: {type: terminal, status: failed}\n",
      ['5 "status" must be one of success, failure, not "failed" -> failure'],
    ],
    [
      "a type in a word of another language",
      "  a: {command: x, on_success: b, on_failure: done}\n  b: {type: end}\n",
      ['5 "end" is not a type of step -> terminal'],
    ],
    [
      "fields that stand beside their state",
      "  a:\n  type: command\n  command: x\n  on_success: done\n",
      ['4 the fields of state "a" stand beside it, not in it -> -'],
    ],
    [
      "a command in a word of another language, and no type",
      "  a: {run: x, on_success: done}\n",
      ['4 command step "a" has no field "run" -> command'],
    ],
    [
      "a state in the place of a message",
      "  a: {command: x, on_success: done, on_failure: {goto: b}}\n  b: {command: x, on_success: done}\n",
      ['4 "goto" is not known here -> -'],
    ],
    [
      "a condition of a loop in a word of another language",
      "  a: {type: while, condition: 'states.b.ExitCode != 0', body: [b], on_complete: done}\n  b: {command: x}\n",
      ['4 while step "a" has no field "condition" -> while'],
    ],
    [
      "what a call is given in a word of another language",
      "  a: {type: call_workflow, workflow: x, with: {y: 1}, on_success: done}\n",
      ['4 call workflow step "a" has no field "with" -> inputs'],
    ],
    [
      "a bound of rounds at once in another word",
      "  a: {type: for_each, items: [x], body: [b], parallel: 2, on_complete: done}\n  b: {command: x}\n",
      ['4 for each step "a" has no field "parallel" -> max_concurrent'],
    ],
    [
      "a body that is no list, whose states read the item",
      "  a: {type: for_each, items: [x], body: b, on_complete: done}\n  b: {command: 'echo {{.loop.Item}}'}\n",
      ['4 "body" must be a list of names of states that stand under states, not "b" -> [b]'],
    ],
    [
      "a type of a question in another word",
      "  a: {type: ask, questions: [{name: q, prompt: Sure?, type: bool}], on_success: done}\n",
      ['4 "type" must be one of string, integer, boolean, not "bool" -> boolean'],
    ],
    [
      "a no that ends the run in another word",
      "  a: {command: x, approval: {on_deny: cancel}, on_success: done}\n",
      ['4 "on_deny" must be one of skip, error, abort, not "cancel" -> abort'],
    ],
    [
      "an answer that is looked for beside the results",
      "  a: {type: ask, questions: [{name: q, prompt: Which?}], on_success: b}\n  b: {command: 'echo {{.states.a.q}}', on_success: done}\n",
      ['5 a state\'s result has no "q" (states.a.q) -> JSON.q'],
    ],
    [
      "states that are written into a parallel",
      "  a: {parallel: [{command: x}], on_success: done}\n",
      ['4 entry 1 of "parallel" must be the name of a state that stands under states, not a map -> -'],
    ],
    [
      "an option of an agent beside its options",
      "  a: {type: agent, provider: p, prompt: x, allowed_tools: [Read], on_success: done}\n",
      ['4 agent step "a" has no field "allowed_tools" -> options.allowed_tools'],
    ],
    [
      "a time that is written out",
      "  a: {command: x, timeout: 5 minutes, on_success: done}\n",
      [
        '4 "timeout" must be a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds), not "5 minutes" -> 5m',
      ],
    ],
    [
      "a first name of another language",
      "  a: {command: 'echo {{steps.a.Output}}', on_success: done}\n",
      [
        '4 unknown name "steps": one of inputs, states, workflow, env, context, error, loop, awf, parameters expected -> states',
      ],
    ],
    [
      "a property in a word of another language",
      "  a: {command: x, transitions: [{when: 'states.a.success == 1', goto: done}], on_success: done}\n",
      ['4 a state\'s result has no "success" (states.a.success) -> Status'],
    ],
    [
      "a function of another language",
      "  a: {command: x, transitions: [{when: success(), goto: done}], on_success: done}\n",
      ["4 unknown function \"success\": compare a state's Status, as in states.build.Status == 'completed' -> -"],
    ],
    [
      "a condition in the braces of another language",
      '  a: {command: x, transitions: [{when: "${{ states.a.ExitCode == 1 }}", goto: done}], on_success: done}\n',
      ["4 an expression names values directly, without {{ }} -> states.a.ExitCode == 1"],
    ],
    [
      "a state without what its name stands in",
      "  a: {command: x, on_success: b}\n  b: {command: 'echo {{.a.Output}}', on_success: done}\n",
      ['5 "a" is not known here -> states.a'],
    ],
    [
      "a prompt that is misspelt",
      "  a: {type: agent, provider: p, promt: x, on_success: done}\n",
      ['4 agent step "a" has no field "promt" -> prompt'],
    ],
    [
      "a state that is like no other",
      "  a: {command: x, on_success: elsewhere}\n  b: {command: x, on_success: done}\n",
      ['4 state "elsewhere" does not exist -> -'],
    ],
    [
      "a template that is not there",
      "  a: {use_template: absent}\n  b: {command: x, on_success: done}\n",
      ['4 there is no template "absent" -> -'],
    ],
    [
      "a state without a way on",
      "  a: {command: x}\n  b: {command: x, on_success: c}\n  c: {command: x, on_success: done}\n",
      ['4 state "a" leads nowhere -> -'],
    ],
    [
      "a chain that nothing leads to",
      "  a: {command: x, on_success: done}\n  b: {command: x, on_success: c}\n  c: {command: x, on_success: done}\n",
      ['5 no way leads to state "b" -> -'],
    ],
    [
      "a circle that nothing leads to",
      "  a: {command: x, on_success: done}\n  b: {command: x, on_success: c}\n  c: {command: x, on_success: b}\n",
      ['5 no way leads to state "b" -> -'],
    ],
    [
      "results behind a way that could not be read",
      "  a: {command: x, on_sucess: b}\n  b: {command: 'echo {{.states.a.Output}}', on_success: done}\n",
      ['4 command step "a" has no field "on_sucess" -> on_success'],
    ],
  ])("%s", (_, lines, expected) => {
    expect(told(steps(lines))).toEqual(expected);
  });
});
