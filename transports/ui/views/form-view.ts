/**
 * A new run: its inputs, checked as the run would check them.
 *
 * I1. What is typed for a secret is not seen. Nothing begins while a value does not fit.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Input, Troupe, WorkflowSummary } from "../../../actors/troupe.ts";
import { isSecretInput, readInput } from "../../../projections/terminal/inputs.ts";
import { paint } from "../../../projections/terminal/paint.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { type KeyHint, type UiPlace, windowOf } from "../../../projections/ui/frame.ts";
import { withoutLast } from "../typed.ts";
import type { UiStage, UiView } from "../view.ts";

/** `value`: null where nothing was typed. */
type Field = { input: Input; value: string | null; fault: string };

export class FormView implements UiView {
  readonly keys: readonly KeyHint[] = [
    ["↑↓", "field"],
    ["←→", "choices"],
    ["enter", "next, then run"],
    ["esc", "back"],
  ];
  readonly pasted = "lines";
  readonly #troupe: Troupe;
  readonly #workflow: WorkflowSummary;
  readonly #stage: UiStage;
  readonly #cwd: string;
  readonly #fields: Field[];
  #at = 0;

  constructor(troupe: Troupe, workflow: WorkflowSummary, stage: UiStage, cwd: string) {
    this.#troupe = troupe;
    this.#workflow = workflow;
    this.#stage = stage;
    this.#cwd = cwd;
    this.#fields = workflow.inputs.map((input) => ({ input, value: null, fault: "" }));
  }

  title(): string {
    return `run ${safeLine(this.#workflow.id)}`;
  }
  right(): readonly string[] {
    return [safeLine(this.#cwd)];
  }
  lines({ height, colours }: UiPlace): readonly string[] {
    const { bold, dim, red } = paint(colours);
    if (this.#fields.length === 0) return ["", "  It takes no inputs. enter runs it."];
    const lines = this.#fields.flatMap((field, index) => {
      const { input, value, fault } = field;
      const isChosen = index === this.#at;
      const required = input.required && input.default === undefined ? "" : dim(" (optional)");
      const choices =
        input.validation.enum === undefined ? "" : dim(` ${input.validation.enum.map(safeLine).join(" | ")}`);
      return [
        {
          index,
          text: `${isChosen ? bold("❯") : " "} ${bold(safeLine(input.name))}${required}: ${shownValue(field)}${isChosen ? "▏" : ""}`,
        },
        ...(isChosen && (input.description ?? "") !== ""
          ? [{ index, text: `    ${dim(safeLine(input.description ?? ""))}` }]
          : []),
        ...(isChosen && choices !== "" ? [{ index, text: `   ${choices}` }] : []),
        ...(value === null && input.default !== undefined && isChosen
          ? [{ index, text: `    ${dim(`else ${safeLine(JSON.stringify(input.default))}`)}` }]
          : []),
        ...(fault === "" ? [] : [{ index, text: `    ${red(safeLine(fault))}` }]),
      ];
    });
    const at = lines.findIndex(({ index }) => index === this.#at);
    return windowOf(lines, at, height).map(({ text }) => text);
  }
  press(key: string): boolean {
    const field = this.#fields[this.#at];
    switch (key) {
      case "escape":
        this.#stage.back();
        return true;
      case "up":
      case "down":
      case "tab":
        this.#check(field);
        this.#at = Math.max(0, Math.min(this.#fields.length - 1, this.#at + (key === "up" ? -1 : 1)));
        return true;
      case "left":
      case "right":
        if (field !== undefined) choose(field, key === "left" ? -1 : 1);
        return true;
      case "enter":
        this.#next(field);
        return true;
      case "backspace":
        if (field !== undefined) field.value = withoutLast(field.value ?? "") || null;
        return true;
      default:
        if (field === undefined || [...key].length !== 1) return false;
        field.value = (field.value ?? "") + key;
        return true;
    }
  }

  #check(field: Field | undefined): boolean {
    if (field === undefined) return true;
    const { input, value } = field;
    const isLacking = value === null && input.required && input.default === undefined;
    const read = value === null ? null : readInput(input, value, (path) => existsSync(resolve(this.#cwd, path)));
    field.fault = isLacking ? "it is required" : read === null || read.ok ? "" : read.message;
    return field.fault === "";
  }
  #next(field: Field | undefined): void {
    if (!this.#check(field)) return;
    if (this.#at < this.#fields.length - 1) {
      this.#at += 1;
      return;
    }
    const wrong = this.#fields.findIndex((one) => !this.#check(one));
    if (wrong >= 0) {
      this.#at = wrong;
      return;
    }
    const inputs: { [name: string]: string } = {};
    for (const { input, value } of this.#fields) {
      if (value === null) continue;
      const read = readInput(input, value, (path) => existsSync(resolve(this.#cwd, path)));
      if (read.ok) inputs[input.name] = read.value;
    }
    this.#stage.back();
    const started = this.#troupe.run({ workflow: this.#workflow.id, inputs, consent: "ask", cwd: this.#cwd });
    const begun = started.then(({ id, done }) => {
      this.#stage.choose(id);
      this.#stage.carrying(done);
    });
    this.#stage.doing(begun);
  }
}

const shownValue = ({ input, value }: Field): string =>
  value === null ? "" : isSecretInput(input.name) ? "•".repeat([...value].length) : safeLine(value);

/** Of an input with choices the next one. */
function choose(field: Field, by: 1 | -1): void {
  const choices = field.input.validation.enum ?? (field.input.type === "boolean" ? ["true", "false"] : []);
  if (choices.length === 0) return;
  const at = choices.indexOf(field.value ?? "");
  field.value = choices[(Math.max(at, by > 0 ? -1 : 0) + by + choices.length) % choices.length] ?? null;
}
