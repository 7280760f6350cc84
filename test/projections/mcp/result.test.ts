/** Covers `result.ts`: a run as what a tool answers. */
import { expect, test } from "vitest";
import { MOST_BYTES, type RunEnd, type RunStanding, runResult } from "../../../projections/mcp/result.ts";

const RUN: RunStanding = {
  id: "r1",
  workflow: "ship",
  status: "completed",
  error: null,
  questions: [],
  permissions: [],
};
const END: RunEnd = { outputs: {}, message: null, said: null };
const ERROR = { code: "EXECUTION.COMMAND.TIMEOUT", message: "too\u200blong" };
const ALL = { runs: true, decides: true };
const NONE = { runs: false, decides: false };
const QUESTION = { input: "i1", step: "ask", prompt: "Which colour?", said: "" };
const CONSENT = {
  permission: "p1",
  step: "push",
  title: "Push it",
  message: "May it?",
  options: [{ id: "yes", name: "Yes", kind: "allow_once" }],
} as unknown as RunStanding["permissions"][number];

/** The words, the data, and whether it is an error. */
const shown = (run: Partial<RunStanding>, end: Partial<RunEnd> | null = {}, options = ALL) => {
  const result = runResult({ ...RUN, ...run }, end === null ? null : { ...END, ...end }, options);
  const [first] = result.content;
  return { words: (first as { text: string }).text, data: result.structuredContent, isError: result.isError };
};

test("a run that gave nothing back", () => {
  expect(shown({})).toEqual({
    words: "Run r1 of ship has completed.",
    data: { run: "r1", workflow: "ship", status: "completed" },
    isError: undefined,
  });
});

test("outputs, a message, and what was said last: the first two are words, the last where there is nothing else", () => {
  const said = { step: "say", text: "All good.\n" } as never;
  expect(shown({}, { outputs: { a: "x", b: [1] }, message: "Done", said })).toMatchObject({
    words: "Done\na: x\nb: [1]\n\nRun r1 of ship has completed.",
    data: { message: "Done", outputs: { a: "x", b: [1] }, said },
  });
  expect(shown({}, { outputs: { a: "x" }, said }).words).toBe("a: x\n\nRun r1 of ship has completed.");
  expect(shown({}, { said }).words).toBe("All good.\n\nRun r1 of ship has completed.");
  expect(shown({}, null).words).toBe("Run r1 of ship has completed.");
});

test.each<[RunStanding["status"], string]>([
  ["failed", "Run r1 of ship has failed"],
  ["cancelled", "Run r1 of ship was cancelled"],
  ["skipped", "Run r1 of ship was skipped"],
])("%s is an error, with its reason where there is one (I3)", (status, words) => {
  expect(shown({ status })).toEqual({
    words: `${words}.`,
    data: { run: "r1", workflow: "ship", status },
    isError: true,
  });
  const told = shown({ status, error: ERROR });
  expect(told.words).toBe(`${words}: too\\u200blong [EXECUTION.COMMAND.TIMEOUT]`);
  expect(told.data).toEqual({ run: "r1", workflow: "ship", status, error: ERROR });
});

test("cut off is an error and open: the data say what to do (I1, I3, I4)", () => {
  const words =
    "Run r1 of ship was interrupted: the process that ran it has died. `troupe resume r1` in a terminal resumes it.";
  expect(shown({ status: "interrupted" })).toEqual({
    ...{ words, isError: true },
    data: { run: "r1", workflow: "ship", status: "interrupted", note: words },
  });
});

test("one that runs says how to wait for it (I1, I4)", () => {
  const words = "Run r1 of ship is still running. troupe_run_wait waits for it, troupe_run_cancel ends it.";
  expect(shown({ status: "running" }, null)).toEqual({
    ...{ words, isError: undefined },
    data: { run: "r1", workflow: "ship", status: "running", note: words },
  });
  expect(shown({ status: "running" }, null, NONE).words).toBe(
    "Run r1 of ship is still running. `troupe status r1` tells more.",
  );
});

test("a question is put in words and in data, and how to answer it (I1, I4)", () => {
  const talk = { input: "i2", step: "each/1.talk", prompt: "", said: "And now?" };
  const { words, data } = shown({ status: "parked", questions: [QUESTION, talk] }, null);
  expect(words.split("\n")).toEqual([
    "Run r1 of ship waits for an answer.",
    "Question i1 of step ask: Which colour?",
    "Question i2 of step each[2]/talk: And now? (a conversation: an empty answer ends it)",
    "Ask the user, and pass on what they say with troupe_run_answer.",
  ]);
  expect(data).toMatchObject({
    note: words,
    questions: [
      { question: "i1", step: "ask", prompt: "Which colour?", said: "" },
      { question: "i2", step: "each/1.talk", prompt: "", said: "And now?" },
    ],
  });
  expect(shown({ status: "parked", questions: [QUESTION] }, null, NONE).words).toContain(
    'The user answers with `troupe resume r1 --answer "…"`.',
  );
});

test("a consent shows the deed and the edits, and who may decide (I1, I4)", () => {
  const edit = { path: "a.txt", oldText: null, newText: "x" };
  const asked = { ...CONSENT, input: { step: "push", command: "git push" }, edits: [edit] };
  const { words, data } = shown({ status: "waiting", permissions: [asked] }, null);
  expect(words.split("\n")).toEqual([
    "Run r1 of ship waits for consent.",
    "Permission p1: Push it: May it? command: git push: ± a.txt (new)",
    "+ x",
    "Ask the user, and pass on what they decide with troupe_run_decide. Options of p1: yes (Yes).",
  ]);
  expect(data).toMatchObject({
    permissions: [
      {
        ...{ permission: "p1", step: "push", title: "Push it", message: "May it?" },
        input: { step: "push", command: "git push" },
        options: [{ id: "yes", name: "Yes" }],
      },
    ],
  });
  const plain = shown({ status: "waiting", permissions: [{ ...CONSENT, message: "" }] }, null, NONE);
  expect(plain.words.split("\n").slice(1)).toEqual([
    "Permission p1: Push it",
    "A person decides: with `troupe decide r1` in a terminal, or in an editor.",
  ]);
  expect((plain.data as { permissions: object[] }).permissions[0]).not.toHaveProperty("input");
  const watched = shown({ status: "waiting", permissions: [CONSENT] }, null, { runs: true, decides: false });
  expect(watched.words).toContain("or in an editor. troupe_run_wait with permission p1 waits for that.");
});

test("what is long is a link; nothing is cut in silence (I2)", () => {
  const quotes = JSON.stringify({ outputs: { a: "" }, message: null, said: null }).length;
  const most = { outputs: { a: "x".repeat(MOST_BYTES - quotes) } };
  expect(runResult(RUN, { ...END, ...most }, ALL).content).toHaveLength(1);
  const result = runResult(RUN, { ...END, outputs: { a: `${most.outputs.a}x` }, message: "Done" }, ALL);
  expect(result.content).toEqual([
    {
      type: "text",
      text: "The result is longer than 50 KiB: read the linked resource.\n\nRun r1 of ship has completed.",
    },
    {
      ...{ type: "resource_link", name: "ship: result of run r1", mimeType: "application/json" },
      uri: expect.stringContaining("r1"),
    },
  ]);
  const { uri } = result.content[1] as { uri: string };
  expect(result.structuredContent).toEqual({
    ...{ run: "r1", workflow: "ship", status: "completed" },
    note: `The result is longer than 50 KiB: read ${uri}.`,
  });
});
