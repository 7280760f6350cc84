/** The questions of an `ask` step as one form; those that were answered, and what is typed, stand there filled in. */
import { html, nothing, type TemplateResult } from "lit/html.js";
import { visible } from "../../../../projections/page/seen.ts";
import { type AskForm, askSchema } from "../../../../projections/shared/ask-form.ts";
import { draftOf, keepDraft, send, wrongIn } from "../drafts.ts";
import { type OpenRun, type PageRun, state } from "../state.ts";
import { askedText } from "./marks.ts";

type Property = ReturnType<typeof askSchema>["properties"][string];
type Field = {
  name: string;
  property: Property | undefined;
  isNeeded: boolean;
  isOff: boolean;
  typed: string | undefined;
};

export function askView(run: OpenRun, question: PageRun["questions"][number], form: AskForm): TemplateResult {
  const { input, step } = question;
  const [typed, isOff] = [draftOf(run, question), run.isOffline];
  const { properties, required } = askSchema(form, "oneOf");
  const answer = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    const values = Object.fromEntries(
      form.fields.map(({ name }) => [name, String(data.get(name) ?? "")]).filter(([, value]) => value !== ""),
    );
    send(run, question, { values });
  };
  const wrong = wrongIn(run, question);
  const faultOf = (name: string, index: number): string | undefined => {
    if (wrong !== null) return wrong.field === `values.${name}` ? `expected ${wrong.expected}` : undefined;
    return index === form.at ? form.fault : undefined;
  };
  return html`<article class="ask" data-input=${input}>
    <p class="heading"><strong>${askedText(form.message ?? "The run asks")}</strong> <small>${visible(step)}</small></p>
    <form class="questions" @submit=${answer} @input=${keepDraft(run, question)}>
      ${form.fields.map(
        (
          { name, prompt, required: needed },
          index,
        ) => html`<label class="question"><span>${askedText(prompt)}${needed ? nothing : html` <small>may be left out</small>`}</span>
        ${field({ name, property: properties[name], isNeeded: required.includes(name), isOff, typed: typed[name] })}
        ${wrongView(faultOf(name, index))}</label>`,
      )}
      <p class="options"><button class="primary" ?disabled=${state.isBusy || run.isOffline}>Send</button></p>
    </form>
  </article>`;
}

const wrongView = (fault: string | undefined): TemplateResult | typeof nothing =>
  fault === undefined ? nothing : html`<small class="wrong" role="alert">${visible(fault)}</small>`;

/** A field is as free as its question: what is wrong with a value, the step says. */
function field({ name, property, isNeeded, isOff, typed }: Field): TemplateResult {
  const kept = typed ?? String(property?.default ?? "");
  const options = optionsOf(property);
  if (options !== null)
    return html`<select name=${name} ?required=${isNeeded} ?disabled=${isOff}>
      <option value="" ?selected=${kept === ""}></option>
      ${options.map(({ value, title }) => html`<option value=${value} ?selected=${value === kept}>${visible(title)}</option>`)}
    </select>`;
  if (property?.type === "integer")
    return html`<input name=${name} type="number" step="1" .value=${kept} ?required=${isNeeded} ?disabled=${isOff}>`;
  return html`<textarea name=${name} rows="2" .value=${kept} ?required=${isNeeded} ?disabled=${isOff}></textarea>`;
}

function optionsOf(property: Property | undefined): { value: string; title: string }[] | null {
  if (property?.type === "boolean")
    return ["true", "false"].map((value) => ({ value, title: value === "true" ? "yes" : "no" }));
  if (property?.type !== "string") return null;
  if ("oneOf" in property && property.oneOf !== undefined)
    return property.oneOf.map(({ const: value, title }) => ({ value, title }));
  return "enum" in property && property.enum !== undefined
    ? property.enum.map((value) => ({ value, title: value }))
    : null;
}
