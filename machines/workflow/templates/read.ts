/** A step template: a file with parameters and states that a workflow's step is made from. */
import { z } from "zod";
import type { Json } from "../../model.ts";
import type { Report } from "../report.ts";
import { conform } from "../schema/conform.ts";
import { flag, isYes, list, opt, record, text } from "../schema/fields.ts";
import { child, type Located } from "../yaml/located.ts";
import type { TemplatePlace } from "./foreign.ts";

export type Parameter = { name: string; required: boolean; default?: Json };
/** `written`: where in its file something stands. */
export type StepTemplate = {
  name: string;
  parameters: Parameter[];
  initial: string;
  states: Located;
  written: TemplatePlace;
};

const parameter = z.strictObject(
  {
    name: text().describe("The name, as in {{parameters.name}}."),
    required: opt(flag()).describe("Whether a step must give it."),
    default: opt(z.unknown()).describe("The value when none is given."),
    description: opt(text()).describe("What it is for."),
    type: opt(text()).describe("For readers only."),
  },
  { error: "a map with name, required and default" },
);
const templateFields = {
  name: text().describe("The template's name."),
  description: opt(text()).describe("What it is for."),
  version: opt(text()).describe("Its version."),
  author: opt(text()).describe("Who wrote it."),
  parameters: opt(list(parameter, "a list of parameters, each with a name")).describe("What a step may give."),
};
const templateHead = z.strictObject({ ...templateFields, states: record() }, { error: "a map with name and states" });
const FIELDS = [...Object.keys(templateFields), "states"];

/** Which state stands for the whole: `initial`, the one named as the template, or the first. */
function initialOf(name: string, states: Located): string | null {
  const names = [...(states.entries?.keys() ?? [])].filter((each) => each !== "initial");
  const initial = child(states, "initial")?.scalar?.text;
  return [initial, name, names[0]].find((each) => each !== undefined && names.includes(each)) ?? null;
}

/** The template in `root`, the file `file`, or null; what is wrong is in the report. */
export function lowerTemplate(root: Located, report: Report, file: string): StepTemplate | null {
  const head = conform(templateHead, root.value, { report, path: [], what: "the template", fields: FIELDS });
  const states = child(root, "states");
  if (head === null || states === undefined) return null;
  const name = String(head.name);
  const initial = initialOf(name, states);
  if (initial === null) {
    const message = "the template has no states";
    report.add({
      code: "WORKFLOW.PARSE.MISSING_FIELD",
      message,
      expected: "a state",
      path: ["states"],
      on: "key",
      loads: false,
    });
    return null;
  }
  const parameters = (head.parameters ?? []).map((each): Parameter => {
    const value = each.default as Json | undefined;
    const given = value === undefined || value === null ? {} : { default: value };
    return { name: String(each.name), required: isYes(each.required), ...given };
  });
  const written: TemplatePlace = ({ start }) => `template "${file}", line ${report.position(start).line}`;
  return { name, parameters, initial, states, written };
}
