/** A new run: which workflow. */
import type { Troupe, WorkflowSummary } from "../../../actors/troupe.ts";
import { paint } from "../../../projections/terminal/paint.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { type KeyHint, type UiPlace, windowOf } from "../../../projections/ui/frame.ts";
import type { UiStage, UiView } from "../view.ts";
import { FormView } from "./form-view.ts";

export class PickView implements UiView {
  readonly keys: readonly KeyHint[] = [
    ["type", "to find"],
    ["↑↓", "choose"],
    ["enter", "take"],
    ["esc", "back"],
  ];
  readonly #troupe: Troupe;
  readonly #stage: UiStage;
  readonly #cwd: string;
  #workflows: readonly WorkflowSummary[] = [];
  #words = "";
  #at = 0;

  constructor(troupe: Troupe, stage: UiStage, cwd: string) {
    this.#troupe = troupe;
    this.#stage = stage;
    this.#cwd = cwd;
    stage.doing(
      troupe.list(cwd).then((workflows) => {
        this.#workflows = workflows.filter(({ fault }) => fault === null);
        stage.redraw();
      }),
    );
  }

  title(): string {
    return `new run: ${safeLine(this.#words)}▏`;
  }
  right(): string {
    return safeLine(this.#cwd);
  }
  lines({ height, colours }: UiPlace): readonly string[] {
    const { bold, dim } = paint(colours);
    const found = this.#found();
    return windowOf(found, this.#at, height).map((workflow) => {
      const isChosen = workflow === found[this.#at];
      const name = safeLine(workflow.id);
      return `${isChosen ? bold("❯") : " "} ${isChosen ? bold(name) : name}  ${dim(safeLine(workflow.description))}`;
    });
  }
  press(key: string): boolean {
    const found = this.#found();
    const workflow = found[this.#at];
    if (key === "escape") this.#stage.back();
    else if (key === "up" || key === "down")
      this.#at = Math.max(0, Math.min(found.length - 1, this.#at + (key === "up" ? -1 : 1)));
    else if (key === "enter") {
      if (workflow === undefined) return true;
      this.#stage.back();
      this.#stage.open(new FormView(this.#troupe, workflow, this.#stage, this.#cwd));
    } else if (key === "backspace") this.#words = this.#words.slice(0, -1);
    else if ([...key].length === 1) {
      this.#words += key;
      this.#at = 0;
    } else return false;
    return true;
  }

  #found(): readonly WorkflowSummary[] {
    const words = this.#words.toLowerCase();
    return this.#workflows.filter(({ id, description }) => `${id} ${description}`.toLowerCase().includes(words));
  }
}
