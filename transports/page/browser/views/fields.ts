/**
 * The inputs of a workflow as a form.
 *
 * I1. What is not touched is not sent: the run has it as the file, or the run that is done again, gives it. A text that
 *     is emptied is sent as that; what can only be kept or replaced cannot be emptied.
 * I2. A choice that nobody has made is none: nothing stands chosen that neither the file nor an earlier run has said.
 * I3. A text keeps its lines. What is typed for a secret is not seen.
 */
import { html, nothing, type TemplateResult } from "lit/html.js";
import { type Input, isSecretName, visible } from "../../../../projections/page/seen.ts";

/** The values that the user has changed (I1). */
export function valuesIn(form: HTMLFormElement, inputs: readonly Input[]): { [name: string]: string } {
  const given = new FormData(form);
  return Object.fromEntries(
    inputs.flatMap((input): [string, string][] => {
      const value = String(given.get(input.name) ?? "");
      return value === textOf(input) ? [] : [[input.name, value]];
    }),
  );
}

export function field(input: Input): TemplateResult {
  const { name, type, description, required, validation } = input;
  const about = html`<span>${visible(name)}${required ? " *" : ""}${description === undefined ? nothing : html` <small>${visible(description)}</small>`}</span>`;
  const text = textOf(input);
  const options = validation.enum ?? (type === "boolean" ? ["true", "false"] : null);
  if (options !== null) return html`<label class="field">${about}${choice(input, options, text)}</label>`;
  if (isSecretName(name))
    return html`<label class="field">${about}<input name=${name} type="password" autocomplete="off" ?required=${required}></label>`;
  if (type === "integer")
    return html`<label class="field">${about}<input name=${name} type="number" step="1" ?required=${required || text !== ""} value=${text} min=${validation.min ?? nothing} max=${validation.max ?? nothing}></label>`;
  const rows = Math.min(MOST_LINES, text.split("\n").length);
  return html`<label class="field">${about}<textarea name=${name} rows=${rows} ?required=${required} .value=${text} @keydown=${onEnter}></textarea></label>`;
}

function choice({ name, type, required }: Input, options: readonly string[], text: string): TemplateResult {
  const shown = (option: string): string => (type === "boolean" ? (option === "true" ? "yes" : "no") : visible(option));
  const none = options.includes(text) ? nothing : html`<option value="" selected></option>`;
  return html`<select name=${name} ?required=${required}>${none}${options.map((option) => html`<option value=${option} ?selected=${option === text}>${shown(option)}</option>`)}</select>`;
}

const MOST_LINES = 8;

/** As in a field of one line, while it is one: Enter sends the form, with Shift it begins the next line. */
function onEnter(event: KeyboardEvent): void {
  const area = event.target as HTMLTextAreaElement;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || area.value.includes("\n")) return;
  event.preventDefault();
  area.form?.requestSubmit();
}

/** What stands in the field to begin with. */
function textOf({ name, default: given }: Input): string {
  if (given === undefined || given === null || isSecretName(name)) return "";
  // A text area knows no other end of a line.
  return typeof given === "string" ? given.replace(/\r\n?/g, "\n") : JSON.stringify(given);
}
