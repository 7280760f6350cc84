/**
 * A new run: which workflow.
 *
 * I1. Keys that need the list and come before it was read are not lost: they are taken in order when it is there.
 * I2. A workflow that cannot run stands behind those that can, with what is wrong.
 */
import type { Troupe, WorkflowSummary } from "../../../actors/troupe.ts";
import { paint } from "../../../projections/terminal/paint.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { type KeyHint, MARK, type UiPlace, windowOf } from "../../../projections/ui/frame.ts";
import { EditedText } from "../edited.ts";
import type { UiStage, UiView } from "../view.ts";
import { FormView } from "./form-view.ts";

/** What means something only where there is a list. */
const OF_THE_LIST: ReadonlySet<string> = new Set(["up", "down", "enter"]);

export class PickView implements UiView {
  readonly keys: readonly KeyHint[] = [
    ["type", "to find"],
    ["↑↓", "choose"],
    ["enter", "take"],
    ["esc", "back"],
  ];
  readonly pasted = "line";
  readonly #troupe: Troupe;
  readonly #stage: UiStage;
  readonly #cwd: string;
  /** Null until they are read. */
  #workflows: readonly WorkflowSummary[] | null = null;
  readonly #early: string[] = [];
  #isLeft = false;
  readonly #words = new EditedText();
  #at = 0;

  constructor(troupe: Troupe, stage: UiStage, cwd: string) {
    this.#troupe = troupe;
    this.#stage = stage;
    this.#cwd = cwd;
    stage.doing(
      troupe.list(cwd).then((workflows) => {
        if (this.#isLeft) return;
        const broken = workflows.filter(({ fault }) => fault !== null);
        this.#workflows = [...workflows.filter(({ fault }) => fault === null), ...broken]; // I2
        this.#catchUp();
        stage.redraw();
      }),
    );
  }

  title(): string {
    return `new run: ${safeLine(this.#words.sides.join(MARK))}`;
  }
  right(): readonly string[] {
    return [safeLine(this.#cwd)];
  }
  lines({ height, colours }: UiPlace): readonly string[] {
    const { bold, dim, red } = paint(colours);
    if (this.#workflows === null) return [dim("  reading the workflows")];
    if (this.#workflows.length === 0) return ["  This directory has no workflow."];
    const found = this.#found();
    if (found.length === 0) return ["  No workflow is so called."];
    return windowOf(found, this.#at, height).map((workflow) => {
      const isChosen = workflow === found[this.#at];
      const name = safeLine(workflow.id);
      const { fault, description } = workflow;
      const about = fault === null ? dim(safeLine(description)) : red(`broken: ${safeLine(fault.message)}`);
      return `${isChosen ? bold("❯") : " "} ${isChosen ? bold(name) : name}  ${about}`;
    });
  }
  close(): void {
    this.#isLeft = true;
  }
  press(key: string): boolean {
    if (this.#workflows === null && key !== "escape" && (this.#early.length > 0 || OF_THE_LIST.has(key)))
      return this.#early.push(key) > 0; // I1
    const found = this.#found();
    const workflow = found[this.#at];
    if (key === "escape") this.#stage.back();
    else if (key === "up" || key === "down")
      this.#at = Math.max(0, Math.min(found.length - 1, this.#at + (key === "up" ? -1 : 1)));
    else if (key === "enter") {
      if (workflow !== undefined) this.#take(workflow);
    } else {
      const before = this.#words.text;
      if (!this.#words.press(key)) return false;
      if (this.#words.text !== before) this.#at = 0;
    }
    return true;
  }

  #catchUp(): void {
    for (let key = this.#early.shift(); key !== undefined; key = this.#early.shift()) {
      const workflow = key === "enter" ? this.#found()[this.#at] : undefined;
      if (workflow === undefined) this.press(key);
      else {
        const form = this.#take(workflow);
        for (const next of this.#early.splice(0)) form?.press(next);
      }
    }
  }
  /** Null: it cannot run, and what was typed for its inputs has no place. */
  #take(workflow: WorkflowSummary): FormView | null {
    if (workflow.fault !== null) {
      const { code, message } = workflow.fault;
      this.#stage.say(`${message} [${code}]`);
      return null;
    }
    const form = new FormView(this.#troupe, workflow, this.#stage, this.#cwd);
    this.#stage.back();
    this.#stage.open(form);
    return form;
  }
  #found(): readonly WorkflowSummary[] {
    const words = this.#words.text.toLowerCase();
    return (this.#workflows ?? []).filter(({ id, description }) =>
      `${id} ${description}`.toLowerCase().includes(words),
    );
  }
}
