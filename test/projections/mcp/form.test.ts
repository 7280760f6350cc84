/** Covers `form.ts`: questions and decisions as forms of a host, and what came back. */
import { expect, test } from "vitest";
import {
  formAnswer,
  formDecision,
  permissionForm,
  permissionKey,
  questionForm,
  questionKey,
} from "../../../projections/mcp/form.ts";

const question = (more: object = {}) => ({ input: "i1", step: "a\nb", prompt: "", said: "It is done.", ...more });
const PERMISSION = {
  permission: "p1",
  title: "Run\nit?",
  options: [
    { id: "yes", name: "Run\nit", kind: "allow_once" },
    { id: "no", name: "Do not", kind: "reject_once" },
  ],
} as never;
const ASKED = {
  fields: [{ name: "n", prompt: "How many?", type: "integer", required: true, validation: {} }],
  at: 0,
  answers: {},
};

test("a question: its words, or what was said before it", () => {
  const form = (message: string) => ({
    mode: "form",
    message,
    requestedSchema: {
      type: "object",
      properties: { answer: { type: "string", title: "Answer" } },
      required: ["answer"],
    },
  });
  expect(questionForm(question({ prompt: "Which\none?" }), "w\nx")).toEqual(form("w x, step a b: Which\none?"));
  expect(questionForm(question(), "w")).toEqual(
    form("w, step a b: It is done.\n\n(An empty answer ends the conversation.)"),
  );
});

test("several questions are fields of one form", () => {
  expect(questionForm(question({ form: ASKED }) as never, "w")).toEqual({
    mode: "form",
    message: "w, step a b",
    requestedSchema: {
      type: "object",
      properties: { n: { type: "integer", title: "How many?" } },
      required: ["n"],
    },
  });
});

test("a decision: every option by its id, none chosen beforehand (I2)", () => {
  const form = (message: string) => ({
    mode: "form",
    message,
    requestedSchema: {
      type: "object",
      properties: {
        decision: { type: "string", title: "Decision", enum: ["yes", "no"], enumNames: ["Run it", "Do not"] },
      },
      required: ["decision"],
    },
  });
  expect(permissionForm(PERMISSION, "w", "")).toEqual(form("w: Run it?"));
  expect(permissionForm(PERMISSION, "w", "It can do much.")).toEqual(form("w: Run it?\n\nIt can do much."));
});

test("an answer is what was accepted; anything else answers nothing (I1)", () => {
  const answer = (response: unknown, of: object = question()) => formAnswer(of as never, response);
  expect(answer({ action: "accept", content: { answer: "red" } })).toEqual({
    type: "answer",
    question: "i1",
    text: "red",
  });
  expect(answer({ action: "accept", content: { answer: "" } })).toEqual({ type: "answer", question: "i1", text: "" });
  for (const said of [7, 0, 1.5, false])
    expect(answer({ action: "accept", content: { answer: said } })).toMatchObject({ text: String(said) });
  const nothing = [
    ...[undefined, null, {}, { action: "accept" }, { action: "accept", content: null }],
    ...[
      { action: "accept", content: ["red"] },
      { action: "accept", content: { answer: { of: 7 } } },
    ],
    ...[
      { action: "decline", content: { answer: "red" } },
      { action: "cancel", content: { answer: "red" } },
    ],
    { action: "accept", content: "red" },
  ];
  expect(nothing.map((response) => answer(response))).toEqual(nothing.map(() => null));
  const asked = question({ form: ASKED });
  expect(answer({ action: "accept", content: { n: 7, other: 1 } }, asked)).toEqual({
    ...{ type: "answer", question: "i1", text: '{"n":7}' },
  });
  expect(answer({ action: "decline", content: { n: 7 } }, asked)).toBeNull();
});

test("a decision is what was said, offered or not (I2)", () => {
  const decision = (option: unknown, action = "accept") =>
    formDecision(PERMISSION, { action, content: { decision: option } });
  expect(decision("no")).toEqual({ type: "decision", permission: "p1", option: "no" });
  expect(decision("maybe")).toMatchObject({ option: "maybe" });
  expect([decision("no", "decline"), formDecision(PERMISSION, null)]).toEqual([null, null]);
  for (const none of [undefined, null, 1, ["no"], { id: "no" }]) expect(decision(none)).toMatchObject({ option: "" });
});

test("each has a name of its own", () => {
  expect([questionKey({ input: "x" }), permissionKey({ permission: "x" })]).toEqual(["input/x", "permission/x"]);
});
