/**
 * What a run asks, as a form that a host shows to a person, and what came back.
 *
 * I1. A form that is declined, dismissed or left out answers nothing: the question stays open.
 * I2. A decision is said by its option's id; one that was not offered is refused where it is decided, and so is a form
 *     that was accepted without one: who sent it hears why. None is chosen beforehand.
 */
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { AskForm } from "../../machines/ask/form.ts";
import type { PermissionOption } from "../../machines/exchange.ts";
import { numberedOf } from "../../machines/naming/address.ts";
import { visible, visibleLine } from "../../machines/visible.ts";
import { askMessage, askSchema, askValues } from "../shared/ask-form.ts";

type Question = { input: string; step: string; prompt: string; said: string; form?: AskForm };
type Permission = { permission: string; title: string; options: readonly PermissionOption[] };
export type FormAnswer = { type: "answer"; question: string; text: string };
export type FormDecision = { type: "decision"; permission: string; option: string };

/** What a host may send for words: some read a number, or true, where a person writes one. */
const WORDS: ReadonlySet<string> = new Set(["string", "number", "boolean"]);

/** What is said for a decision that names no option: no option has this id. */
const NO_OPTION = "";

/** The names of the forms: one of its own for each question, for good. */
export const questionKey = ({ input }: Pick<Question, "input">): string => `input/${input}`;
export const permissionKey = ({ permission }: Pick<Permission, "permission">): string => `permission/${permission}`;

export function questionForm({ step, prompt, said, form }: Question, workflow: string): ElicitRequestFormParams {
  const about = `${visibleLine(workflow)}, step ${visibleLine(numberedOf(step))}`;
  if (form !== undefined)
    return { mode: "form", message: askMessage(form, about), requestedSchema: askSchema(form, "enumNames") };
  const words = prompt === "" ? `${said}\n\n(An empty answer ends the conversation.)` : prompt;
  return {
    mode: "form",
    message: `${about}: ${visible(words)}`,
    requestedSchema: {
      type: "object",
      properties: { answer: { type: "string", title: "Answer" } },
      required: ["answer"],
    },
  };
}

/** `consent`: the text by which a person decides. */
export function permissionForm(
  { title, options }: Permission,
  workflow: string,
  consent: string,
): ElicitRequestFormParams {
  return {
    mode: "form",
    message: [`${visibleLine(workflow)}: ${visibleLine(title)}`, consent].filter((part) => part !== "").join("\n\n"),
    requestedSchema: {
      type: "object",
      properties: {
        decision: {
          type: "string",
          title: "Decision",
          enum: options.map(({ id }) => id),
          enumNames: options.map(({ name }) => visibleLine(name)),
        },
      },
      required: ["decision"],
    },
  };
}

/** What a person said in the form of a question or a permission (I1, I2). */
export function formAnswer(question: Question, response: unknown): FormAnswer | null {
  if (question.form !== undefined) {
    const values = askValues(question.form, response);
    return values === null ? null : { type: "answer", question: question.input, text: JSON.stringify(values) };
  }
  const text = accepted(response)?.["answer"];
  return WORDS.has(typeof text) ? { type: "answer", question: question.input, text: String(text) } : null;
}
export function formDecision({ permission }: Pick<Permission, "permission">, response: unknown): FormDecision | null {
  if (!isAccepted(response)) return null;
  const option = accepted(response)?.["decision"];
  return { type: "decision", permission, option: typeof option === "string" ? option : NO_OPTION };
}

const isAccepted = (response: unknown): boolean => (response as { action?: unknown } | null)?.action === "accept";

function accepted(response: unknown): { readonly [name: string]: unknown } | null {
  const { content } = (response ?? {}) as { content?: unknown };
  const isForm = isAccepted(response) && typeof content === "object" && content !== null && !Array.isArray(content);
  return isForm ? (content as { [name: string]: unknown }) : null;
}
