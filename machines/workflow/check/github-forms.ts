/** Values as GitHub's workflows write them, `${{ inputs.x }}`: here the `$` is text that stays before the value. */
import type { Range } from "../finding.ts";

/** A path of one of our names, without the dot that ours begin with: after `${{.` the `$` may well be meant. */
const FORM = /\$\{\{\s*((?:inputs|states|env|workflow|context|loop|awf)(?:\.\w+)+)\s*\}\}/g;

type GithubForm = { message: string; expected: string; range: Range };

/** Each such value of a template, with what to write. */
export const githubForms = (text: string): GithubForm[] =>
  Array.from(text.matchAll(FORM), ({ 0: written, 1: name = "", index }) => ({
    message: `the "$" before "${written.slice(1)}" stays in the text: \${{ … }} is GitHub's form`,
    expected: `{{.${name}}}, without the "$"`,
    range: { start: index, end: index + written.length },
  }));
