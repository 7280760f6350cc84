/** The inputs of a workflow as a form. */
import { html, nothing, type TemplateResult } from "lit/html.js";
import { type Input, visible } from "../../../../projections/page/seen.ts";

/** The values that the user has put in, without empty ones. */
export function valuesIn(form: HTMLFormElement, inputs: readonly Input[]): { [name: string]: string } {
  const given = new FormData(form);
  return Object.fromEntries(
    inputs.flatMap(({ name, type }): [string, string][] => {
      if (type === "boolean") return [[name, given.has(name) ? "true" : "false"]];
      const value = String(given.get(name) ?? "");
      return value === "" ? [] : [[name, value]];
    }),
  );
}

export function field({ name, type, description, required, default: given, validation }: Input): TemplateResult {
  const about = html`<span>${visible(name)}${required ? " *" : ""}${description === undefined ? nothing : html` <small>${visible(description)}</small>`}</span>`;
  const value = given === undefined || given === null ? "" : typeof given === "string" ? given : JSON.stringify(given);
  if (type === "boolean")
    return html`<label class="field check"><input type="checkbox" name=${name} ?checked=${given === true}>${about}</label>`;
  if (validation.enum !== undefined)
    return html`<label class="field">${about}<select name=${name} ?required=${required}>${validation.enum.map((one) => html`<option ?selected=${one === value}>${visible(one)}</option>`)}</select></label>`;
  return html`<label class="field">${about}<input name=${name} type=${type === "integer" ? "number" : "text"} ?required=${required} value=${value} min=${validation.min ?? nothing} max=${validation.max ?? nothing}></label>`;
}
