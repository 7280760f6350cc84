/** From the checked fields of an `ask` step to its node. */
import { fitting } from "../../ask/form.ts";
import type { Json } from "../../model.ts";
import { isSecretName } from "../../secret-name.ts";
import type { AskChoice, AskNode, AskQuestion } from "../document.ts";
import { isYes } from "../schema/fields.ts";
import { child, type Located } from "../yaml/located.ts";
import { commonOf, textAt } from "./common.ts";
import { checkPattern, type PatternBudget } from "./inputs.ts";
import { type Data, missing, type StepPlace } from "./step-place.ts";

/** What the patterns of one step may weigh; those after it are checked when they are used. */
const MOST_WEIGHT = 20_000;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Null where it asks nothing. */
export function askNode(place: StepPlace, data: Data<"ask">): AskNode | null {
  const { at, name, line } = place;
  if (data.questions.length === 0) return missing(place, `ask step "${name}" asks nothing`, ["questions"]);
  const patterns: PatternBudget = { left: MOST_WEIGHT };
  const questions = data.questions.map((each, index) =>
    asked(place, each, { at: child(at, "questions")?.items?.[index], index, patterns }),
  );
  const names = new Set<string>();
  questions.forEach((question, index) => {
    if (names.has(question.name)) wrong(place, index, `question "${question.name}" is asked twice`, "each name once");
    names.add(question.name);
  });
  return { ...commonOf(name, data, at, line), type: "ask", message: textAt(at, "message"), questions };
}

type Question = Data<"ask">["questions"][number];
type QuestionPlace = { at: Located | undefined; index: number; patterns: PatternBudget };

function wrong({ path, report }: StepPlace, index: number, message: string, expected: string): void {
  const at = [...path, "questions", index, "name"];
  report.add({ code: "WORKFLOW.PARSE.INVALID_FIELD", message, expected, path: at, loads: false });
}

function asked(place: StepPlace, data: Question, { at, index, patterns }: QuestionPlace): AskQuestion {
  const name = textAt(at, "name") ?? String(data.name);
  if (!NAME.test(name)) wrong(place, index, `"${name}" cannot be a question's name`, "letters, digits and _");
  // What is answered stands in the log, and is shown to everyone who may see the run.
  else if (isSecretName(name)) {
    const message = `question "${name}" asks for a secret by its name: answers are kept in the log`;
    wrong(place, index, message, "a secret from an input or from the environment");
  }
  const { pattern, min, max } = data.validation ?? {};
  const path = [...place.path, "questions", index, "validation", "pattern"];
  if (pattern) checkPattern(pattern, path, place.report, patterns);
  const initial = child(at, "default")?.value ?? null;
  const choices = child(at, "choices");
  const question: AskQuestion = {
    name,
    prompt: textAt(at, "prompt") ?? String(data.prompt),
    type: data.type || "string",
    required: data.required === null || data.required === undefined || isYes(data.required),
    ...(initial === null ? {} : { default: initial }),
    ...(choices === undefined || choices.value === null ? {} : { choices: choicesOf(choices) }),
    validation: {
      ...(pattern ? { pattern } : {}),
      ...(min === null || min === undefined ? {} : { min }),
      ...(max === null || max === undefined ? {} : { max }),
    },
  };
  checkDefault(place, question, index);
  return question;
}

/** What a template gives is known when it is asked. */
const isWritten = (value: Json | undefined): boolean => !JSON.stringify(value ?? null).includes("{{");

function checkDefault({ path, report }: StepPlace, { choices, ...question }: AskQuestion, index: number): void {
  if (question.default === undefined || !isWritten(question.default)) return;
  if (typeof choices === "string" || !isWritten(choices)) return;
  const taken = fitting({ ...question, ...(choices === undefined ? {} : { choices }) }, question.default);
  if (taken.ok) return;
  const message = `the default of question "${question.name}" is none of its answers`;
  const at = [...path, "questions", index, "default"];
  const { expected } = taken;
  report.add({ code: "WORKFLOW.PARSE.INVALID_FIELD", message, expected, path: at, loads: false });
}

function choicesOf(at: Located): string | AskChoice[] {
  if (at.items === undefined) return at.scalar?.text ?? String(at.value as Json);
  return at.items.map((item): AskChoice => {
    const label = textAt(item, "label");
    const value = item.scalar?.text ?? textAt(item, "value") ?? "";
    return label === null ? { value } : { value, label };
  });
}
