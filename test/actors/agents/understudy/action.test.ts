import { describe, expect, test } from "vitest";
import { MAX_CHUNKS } from "../../../../actors/agents/understudy/action.ts";
import { parseScript } from "../../../../actors/agents/understudy/script.ts";
import type { Json } from "../../../../machines/model.ts";
import { actions } from "./support.ts";

const faults = (value: Json) => {
  const parsed = parseScript(value);
  return parsed.ok ? [] : parsed.faults.map((fault) => fault.message);
};

describe("forms", () => {
  test("short forms are spelled out", () => {
    const plain = { type: "text", text: "Hi", chunks: 1, repeat: 1, rate: null };
    expect(
      actions([
        { say: "Hi" },
        { think: { text: "Hi", chunks: 2, repeat: 3, rate: 0.5 } },
        { say: { count: 0 } },
        { notice: "Careful" },
        { notice: { severity: "error", message: "Broken" } },
        { wait: "until cancelled" },
        { wait: { seconds: 1.5 } },
        { usage: { inputTokens: 3, cost: { amount: 0.1, currency: "USD" } } },
        { fail: { class: "overloaded", message: "Busy" } },
        { write: { path: "a.txt", text: "" } },
        { exit: "crash" },
      ]),
    ).toEqual([
      { type: "say", speech: plain },
      { type: "think", speech: { ...plain, chunks: 2, repeat: 3, rate: 0.5 } },
      { type: "say", speech: { type: "generated", count: 0, rate: null } },
      { type: "notice", severity: "info", message: "Careful" },
      { type: "notice", severity: "error", message: "Broken" },
      { type: "wait", ms: null },
      { type: "wait", ms: 1500 },
      { type: "usage", usage: { inputTokens: 3, cost: { amount: 0.1, currency: "USD" } } },
      { type: "fail", class: "overloaded", message: "Busy" },
      { type: "write", path: "a.txt", text: "" },
      { type: "exit" },
    ]);
  });

  test("I2: a tool call gets an id from its place", () => {
    expect(actions([{ say: "a" }, { tool: { title: "Look", kind: "read" } }])[1]).toEqual({
      type: "tool",
      id: "tool-2",
      title: "Look",
      kind: "read",
      input: undefined,
      status: "completed",
      output: null,
      result: undefined,
      diff: null,
      locations: [],
      reason: null,
    });
  });
});

describe("faults", () => {
  test.each<[string, Json, string[]]>([
    [
      "no script",
      null,
      ["script: expected a list of actions, or an object with the fields turns, conversation, got null"],
    ],
    [
      "a text",
      "say hi",
      ['script: expected a list of actions, or an object with the fields turns, conversation, got "say hi"'],
    ],
    [
      "an action that is a text",
      ["say"],
      [
        'script[0]: expected an object with exactly one of the actions say, think, tool, call, output, usage, notice, wait, fail, write, ask, exit, got "say"',
      ],
    ],
    [
      "two actions in one",
      [{ say: "a", think: "b" }],
      [
        "script[0]: expected an object with exactly one of the actions say, think, tool, call, output, usage, notice, wait, fail, write, ask, exit, got an object with say, think",
      ],
    ],
    [
      "an unknown action",
      [{ shout: "a" }],
      [
        'script[0].shout: expected one of the actions say, think, tool, call, output, usage, notice, wait, fail, write, ask, exit, got "a"',
      ],
    ],
    [
      "a name of every object",
      [{ constructor: "a" }],
      [
        'script[0].constructor: expected one of the actions say, think, tool, call, output, usage, notice, wait, fail, write, ask, exit, got "a"',
      ],
    ],
    [
      "a speech of nothing",
      [{ say: { rate: 1 } }],
      ["script[0].say: expected either `text` or `count`, got an object with rate"],
    ],
    [
      "a speech of both",
      [{ say: { text: "a", count: 1 } }],
      ["script[0].say.count: expected either `text` or `count`, not both, got 1"],
    ],
    [
      "chunks of generated text",
      [{ say: { count: 1, chunks: 2 } }],
      ["script[0].say.chunks: expected no `chunks` beside `count`, got 2"],
    ],
    [
      "repeated generated text",
      [{ say: { count: 1, repeat: 2 } }],
      ["script[0].say.repeat: expected no `repeat` beside `count`, got 2"],
    ],
    [
      "too many chunks",
      [{ say: { count: MAX_CHUNKS + 1 } }],
      ["script[0].say.count: expected a whole number from 0 to 1000000, got 1000001"],
    ],
    [
      "too many chunks by repeating",
      [{ say: { text: "a", chunks: 2000, repeat: 2000 } }],
      ["script[0].say.repeat: expected at most 1000000 chunks in all, got 2000"],
    ],
    [
      "no rate",
      [{ think: { text: "a", rate: 0 } }],
      ["script[0].think.rate: expected a number above 0, to 1000000, got 0"],
    ],
    [
      "a speech that is a number",
      [{ say: 3 }],
      ["script[0].say: expected an object with the fields text, count, chunks, repeat, rate, got 3"],
    ],
    [
      "unknown fields",
      [{ write: { path: "a", text: "b", mode: 7, by: "me" } }],
      [
        "script[0].write.mode: expected one of the fields path, text, got 7",
        'script[0].write.by: expected one of the fields path, text, got "me"',
      ],
    ],
    [
      "missing and wrong fields",
      [{ tool: { kind: "cook" } }],
      [
        "script[0].tool.title: expected a text, got nothing",
        'script[0].tool.kind: expected one of read, edit, delete, move, search, execute, think, fetch, switch_mode, other, got "cook"',
      ],
    ],
    [
      "a status against `fails`",
      [{ tool: { title: "a", kind: "read", fails: true, status: "completed" } }],
      ['script[0].tool.status: expected failed, or no status, beside `fails`, got "completed"'],
    ],
    [
      "an end of an open call",
      [
        {
          tool: { title: "a", kind: "read", status: "pending", result: 1, output: "b", diff: { path: "p", new: "n" } },
        },
      ],
      [
        "script[0].tool.result: expected no result of a call that does not end, got 1",
        "script[0].tool.diff: expected no diff of a call that does not end, got an object with path, new",
        'script[0].tool.output: expected no output of a call that does not start, got "b"',
      ],
    ],
    [
      "a call after its end",
      [{ tool: { title: "a", kind: "read", id: "x" } }, { tool: { title: "a", kind: "read", id: "x" } }],
      ['script[1].tool.id: expected an id other than x: that call has ended, got "x"'],
    ],
    [
      "a wait without end",
      [{ wait: { seconds: -1 } }, { wait: "long" }, { wait: { minutes: 1 } }],
      [
        "script[0].wait.seconds: expected a number from 0 to 2147483, got -1",
        'script[1].wait: expected "until cancelled" or {seconds}, got "long"',
        "script[2].wait.seconds: expected a number from 0 to 2147483, got nothing",
        "script[2].wait.minutes: expected one of the fields seconds, got 1",
      ],
    ],
    [
      "an unknown class",
      [{ fail: { class: "sad", message: "m" } }],
      [
        'script[0].fail.class: expected one of auth, no_credit, rate_limit, overloaded, network, refused, cut, not_found, crashed, timeout, got "sad"',
      ],
    ],
    ["another exit", [{ exit: "stage left" }], ['script[0].exit: expected crash, got "stage left"']],
    ["no turn", { turns: [] }, ["script.turns: expected at least one turn, got a list"]],
    [
      "a fault inside a turn",
      { turns: [{ play: [{ say: "a" }, { say: { text: 1 } }] }], conversation: "a b" },
      [
        "script.turns[0].play[1].say.text: expected a text, got 1",
        'script.conversation: expected letters, digits, `.`, `_` and `-`, at most 64, got "a b"',
      ],
    ],
    [
      "a broken pattern",
      { turns: [{ when: "(", play: [] }] },
      [
        'script.turns[0].when: expected a regular expression of the RE2 kind (error parsing regexp: missing closing ): `(`), got "("',
      ],
    ],
  ])("%s", (_, value, expected) => {
    expect(faults(value)).toEqual(expected);
  });
});
