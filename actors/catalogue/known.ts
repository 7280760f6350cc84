/**
 * Texts of a workflow that are known before it runs: what has no template, and what only folders and inputs make.
 *
 * I1. A secret is never part of one: such a text would be repeated in a message.
 * I2. What a run finds out is not known: results, variables, the folder that it runs in. An author who names a file
 *     that a step makes writes {{.context.WorkingDir}} before it.
 */
import { type Json, own } from "../../machines/model.ts";
import { isSecretName } from "../../machines/secret-name.ts";
import type { Template } from "../../machines/workflow/template/ast.ts";
import { parseTemplate } from "../../machines/workflow/template/parse.ts";
import { templateReferences } from "../../machines/workflow/template/references.ts";
import { render } from "../../machines/workflow/template/render.ts";
import { awfFolders, type Site } from "./workflow-paths.ts";

export type Inputs = { readonly [name: string]: Json };

export class KnownTexts {
  readonly site: Site;
  readonly #inputs: Inputs;

  /** `inputs`: null before a run has any. */
  constructor(site: Site, inputs: Inputs | null) {
    this.site = site;
    this.#inputs = inputs ?? {};
  }

  /** The text as a step will see it, or null where only the run can know. */
  text(source: string): string | null {
    if (!source.includes("{{")) return source;
    const parsed = parseTemplate(source);
    if (!parsed.ok || !this.#isKnown(parsed.template)) return null;
    try {
      return render(parsed.template, { inputs: { ...this.#inputs }, awf: awfFolders(this.site) });
    } catch {
      return null; // its step will say why
    }
  }

  #isKnown(template: Template): boolean {
    return templateReferences(template).every(({ path: [root, name = ""], dynamic }) => {
      if (root === "awf") return true;
      const value = root === "inputs" ? own(this.#inputs, name) : undefined;
      return value !== undefined && dynamic !== true && !isSecretName(name);
    });
  }
}
