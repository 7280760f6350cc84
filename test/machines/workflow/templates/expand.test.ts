import { describe, expect, it } from "vitest";
import { brief, documentOf, fixture, parse, underlined } from "../fixtures.ts";

const workflow = (step: string): string => `name: x
states:
  initial: a
  a: {${step}}
  d: {type: terminal}
  f: {type: terminal, status: failure}
`;
const from = (files: { [name: string]: string }) => ({ templateSource: (name: string) => files[name] ?? null });

describe("use_template", () => {
  it("makes no state that is there already", () => {
    const files = {
      two: "name: two\nstates:\n  one: {command: x, on_success: b}\n  b: {command: y, on_success: end}\n  end: {type: terminal}\n",
    };
    const said = (states: string) =>
      parse(`name: x\nstates:\n  initial: a\n${states}  d: {type: terminal}\n`, from(files)).findings.map(
        ({ severity, line, message }) => `${severity} ${line} ${message}`,
      );
    const step = "  a: {use_template: two, on_success: d}\n";
    const fault = 'the template makes a state "a__b" of this step, and there is one of that name';
    expect(said(step)).toEqual([]);
    expect(said(`${step}  a__b: {command: mine, on_success: d}\n`)).toEqual([`error 4 ${fault}`]);
    expect(said(`  a__b: {command: mine, on_success: d}\n${step}`)).toEqual([`error 5 ${fault}`]);
  });

  it("puts the template's states in place of the step (I1, I2)", () => {
    const { states } = documentOf(fixture("templated"));
    expect(Object.keys(states)).toEqual(["greet", "greet__note", "done", "failed"]);
    expect(states["greet"]).toMatchObject({
      run: { command: 'echo "Hello, {{.inputs.who}}"' },
      timeoutMs: 2_500,
      onSuccess: "greet__note",
      onFailure: "failed",
    });
    expect(states["greet__note"]).toMatchObject({
      run: { command: "echo noted" },
      onSuccess: "done",
      onFailure: "failed",
    });
  });

  it("keeps an end of the template where the step names no target (I2)", () => {
    const { states } = documentOf(`name: x
states:
  initial: greet
  greet: {use_template: greeting, parameters: {name: Bo}, on_success: done}
  done: {type: terminal}
`);
    expect(states["greet__bad"]).toEqual({
      type: "terminal",
      name: "greet__bad",
      status: "failure",
      message: "no greeting for Bo",
      exitCode: 3,
      line: 4,
    });
  });

  it.each([
    ["its command", "command: echo theirs", "command: dummy", { run: { command: "echo theirs" } }],
    ["its script", "script_file: t.sh", "command: dummy", { run: { scriptFile: "t.sh" } }],
    ["its prompt", "type: agent, provider: p, prompt: hi", "command: dummy", { type: "agent", prompt: { text: "hi" } }],
  ])("lets the template's work win over a dummy of the step: %s (I1)", (_, state, dummy, expected) => {
    const files = { t: `name: t\nstates:\n  one: {${state}}\n` };
    const { workflow: document, findings } = parse(
      workflow(`type: step, ${dummy}, use_template: t, on_success: d, on_failure: f`),
      from(files),
    );
    expect(findings).toEqual([]);
    expect(document?.states["a"]).toMatchObject(expected);
  });

  it("lets the step's fields win, except its type (I1)", () => {
    const files = { t: "name: t\nstates:\n  one: {type: agent, provider: claude, prompt: hi, timeout: 9}\n" };
    const { workflow: document, findings } = parse(
      workflow("type: step, use_template: t, prompt: ho, on_success: d, on_failure: f"),
      from(files),
    );
    expect(findings).toEqual([]);
    expect(document?.states["a"]).toMatchObject({
      type: "agent",
      prompt: { text: "ho" },
      timeoutMs: 9_000,
      onSuccess: "d",
    });
  });

  it("fills in lists and numbers as such, and follows templates in templates", () => {
    const files = {
      outer:
        "name: outer\nparameters: [{name: list}]\nstates:\n  initial: o\n  o: {use_template: inner, parameters: {items: '{{parameters.list}}'}}\n",
      inner:
        "name: inner\nparameters: [{name: items, required: true}]\nstates:\n  l: {type: for_each, items: '{{.parameters.items}}', body: [b], on_complete: d}\n  b: {type: step, command: x}\n",
    };
    const { workflow: document, findings } = parse(
      workflow("use_template: outer, parameters: {list: [1, two]}, on_failure: f"),
      from(files),
    );
    expect(findings).toEqual([]);
    expect(document?.states["a"]).toMatchObject({
      type: "for_each",
      items: [1, "two"],
      body: ["a__b"],
      onComplete: "d",
    });
  });

  it("finds its own states again wherever one of them names another (I2)", () => {
    const talk = "type: agent, provider: understudy, prompt: hi";
    const files = {
      t: `name: t
states:
  initial: ask
  ask: {${talk}, conversation: {}, approval: {on_deny: skip}, on_skip: later, on_success: more}
  more: {${talk}, conversation: {continue_from: ask}, isolation: {worktree: {merge: squash, on_conflict: later}}, on_skip: ok, on_success: same}
  same: {command: x, isolation: {worktree: {of: more}}, on_success: merge}
  merge: {operation: worktree.merge, inputs: {tree: more, on_conflict: later}}
  later: {command: x, on_success: ok}
  ok: {type: terminal}
`,
    };
    const { workflow: document, findings } = parse(
      workflow("use_template: t, on_success: d, on_failure: f"),
      from(files),
    );
    expect(findings).toEqual([]);
    expect(document?.states).toMatchObject({
      a: { onSkip: "a__later", onSuccess: "a__more" },
      a__more: { onSkip: "d", conversation: { continueFrom: "a" }, isolation: { onConflict: "a__later" } },
      a__same: { isolation: { of: "a__more" } },
      a__merge: { isolation: { of: "a__more", onConflict: "a__later" }, onSuccess: "d" },
    });
  });

  it.each([
    ["use_template: nope", {}, "nope", 'there is no template "nope"'],
    [
      "use_template: t",
      { t: "name: t\nparameters: [{name: p, required: true}]\nstates: {s: {command: x}}" },
      "a",
      'template "t" needs parameter "p"',
    ],
    [
      "use_template: t, parameters: {q: 1}",
      { t: "name: t\nparameters: [{name: p}]\nstates: {s: {command: x}}" },
      "q",
      'template "t" has no parameter "q"',
    ],
    ["use_template: t", { t: "name: t\nstates: {s: [" }, "t", 'template "t", line 2: "[" is not closed'],
    ["use_template: t", { t: "name: t\nstates: {}" }, "t", 'template "t", line 2: the template has no states'],
    ["use_template: t", { t: "name: t\nstates: {s: {use_template: t}}" }, "t", 'template "t" uses itself'],
  ])("%s is refused", (step, files, at, message) => {
    const source = workflow(`${step}, on_success: d, on_failure: f`);
    const { findings } = parse(source, from(files as { [name: string]: string }));
    expect(findings.map((finding) => finding.message)).toContain(message);
    const index = findings.findIndex((finding) => finding.message === message);
    expect(underlined(source, findings)[index]).toBe(at);
  });

  it("shows faults inside the template at the step that uses it (I3)", () => {
    const source = workflow("use_template: t, on_success: d, on_failure: f");
    const { findings } = parse(
      source,
      from({ t: "name: t\nstates: {s: {command: 'x {{.inputs.no}}', timeout: soon}}" }),
    );
    expect(brief(findings)).toEqual(["4:21 INVALID_FIELD", "4:21 UNDEFINED_INPUT"]);
    expect(underlined(source, findings)).toEqual(["t", "t"]);
  });
});
