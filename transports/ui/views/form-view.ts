/**
 * A new run: its inputs, checked as the run would check them.
 *
 * I1. What is typed for a secret is not seen. Nothing begins while a value does not fit.
 * I2. What is typed stays until the run has begun: where it is refused it can be mended, and sent again.
 * I3. Where one types is always seen.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Input, Troupe, WorkflowSummary } from "../../../actors/troupe.ts";
import { isSecretInput, readInput } from "../../../projections/terminal/inputs.ts";
import { paint } from "../../../projections/terminal/paint.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { widthOf, wrap } from "../../../projections/terminal/width.ts";
import { type KeyHint, MARK, type UiPlace, windowOf } from "../../../projections/ui/frame.ts";
import { dotted, EditedText, marked } from "../edited.ts";
import type { UiStage, UiView } from "../view.ts";

type Field = { input: Input; line: EditedText; fault: string };

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
  /** The run is being begun. */
  #isSent = false;
  #isLeft = false;

  constructor(troupe: Troupe, workflow: WorkflowSummary, stage: UiStage, cwd: string) {
    this.#troupe = troupe;
    this.#workflow = workflow;
    this.#stage = stage;
    this.#cwd = cwd;
    this.#fields = workflow.inputs.map((input) => ({ input, line: new EditedText(), fault: "" }));
  }

  title(): string {
    return `run ${safeLine(this.#workflow.id)}`;
  }
  right(): readonly string[] {
    return [safeLine(this.#cwd)];
  }
  lines({ width, height, colours }: UiPlace): readonly string[] {
    if (this.#fields.length === 0) return ["", "  It takes no inputs. enter runs it."];
    const fields = this.#fields.map((field, index) => fieldLines(field, index === this.#at, { width, colours }));
    const typedIn = fields.slice(0, this.#at).flatMap(({ own, below }) => [...own, ...below]).length;
    const at = typedIn + (fields[this.#at]?.at ?? 0); // I3
    const lines = fields.flatMap(({ own, below }) => [...own, ...below]);
    return windowOf(lines, at, height);
  }
  press(key: string): boolean {
    const field = this.#fields[this.#at];
    if (this.#isSent && key !== "escape") return true;
    switch (key) {
      case "escape":
        this.#stage.back();
        return true;
      case "up":
      case "backtab":
        return this.#go(field, -1);
      case "down":
      case "tab":
        return this.#go(field, 1);
      case "enter":
        this.#next(field);
        return true;
      default:
        if (field === undefined) return false;
        if (key === "left" || key === "right") return choose(field, key === "left" ? -1 : 1) || field.line.press(key);
        return field.line.press(key);
    }
  }

  close(): void {
    this.#isLeft = true;
  }

  #go(field: Field | undefined, by: 1 | -1): boolean {
    this.#check(field);
    this.#at = Math.max(0, Math.min(this.#fields.length - 1, this.#at + by));
    return true;
  }
  #check(field: Field | undefined): boolean {
    if (field === undefined) return true;
    const { input } = field;
    const value = typedOf(field);
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
    for (const field of this.#fields) {
      const { input } = field;
      const value = typedOf(field);
      if (value === null) continue;
      const read = readInput(input, value, (path) => existsSync(resolve(this.#cwd, path)));
      if (read.ok) inputs[input.name] = read.value;
    }
    this.#stage.doing(this.#begin(inputs));
  }
  async #begin(inputs: { [name: string]: string }): Promise<void> {
    this.#isSent = true;
    try {
      const run = { workflow: this.#workflow.id, inputs, consent: "ask", cwd: this.#cwd } as const;
      const { id, done } = await this.#troupe.run(run);
      if (!this.#isLeft) this.#stage.back();
      this.#stage.choose(id);
      this.#stage.carrying(done);
    } finally {
      this.#isSent = false; // I2
    }
  }
}

/** Of one field: what was typed, `at`: in which line one types, and what helps with it where it is the chosen one. */
function fieldLines(
  field: Field,
  isChosen: boolean,
  { width, colours }: Pick<UiPlace, "width" | "colours">,
): { own: string[]; at: number; below: string[] } {
  const { bold, dim, red } = paint(colours);
  const { input, line, fault } = field;
  const { description = "", required, validation } = input;
  const optional = required && input.default === undefined ? "" : dim(" (optional)");
  const head = `${isChosen ? bold("❯") : " "} ${bold(safeLine(input.name))}${optional}:`;
  const sides = isSecretInput(input.name) ? dotted(line.sides) : line.sides;
  const broken = (text: string): string[] => wrap(safeLine(text), Math.max(1, width - 4)).map((one) => `    ${one}`);
  const typed = marked(sides, (text) => text.split("\n").flatMap(broken));
  const whole = marked(sides, (text) => [text.split("\n").map(safeLine).join(" ")], isChosen ? MARK : "");
  const only = `${head} ${whole.lines.join("")}`;
  const fits = !line.text.includes("\n") && widthOf(only) <= width;
  const help = [
    ...(description === "" ? [] : [description]),
    ...(validation.enum === undefined ? [] : [validation.enum.join(" | ")]),
    ...(line.text === "" && input.default !== undefined ? [`else ${JSON.stringify(input.default)}`] : []),
  ];
  return {
    ...(isChosen && !fits ? { own: [head, ...typed.lines], at: 1 + typed.at } : { own: [only], at: 0 }),
    below: [...(isChosen ? help.flatMap(broken).map(dim) : []), ...(fault === "" ? [] : broken(fault).map(red))],
  };
}

/** Null where nothing was typed. */
const typedOf = ({ line }: Field): string | null => line.text || null;

/** Of an input with choices the next one; false where it has none. */
function choose({ input, line }: Field, by: 1 | -1): boolean {
  const choices = input.validation.enum ?? (input.type === "boolean" ? ["true", "false"] : []);
  if (choices.length === 0) return false;
  const at = choices.indexOf(line.text);
  line.set(choices[(Math.max(at, by > 0 ? -1 : 0) + by + choices.length) % choices.length] ?? "");
  return true;
}
