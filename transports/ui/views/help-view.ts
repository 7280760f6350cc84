/** Every key, of the view that one came from. */
import { paint } from "../../../projections/terminal/paint.ts";
import type { KeyHint, UiPlace } from "../../../projections/ui/frame.ts";
import type { UiStage, UiView } from "../view.ts";

const EVERYWHERE: readonly KeyHint[] = [
  ["pgup pgdn g G", "a page, the first, the last"],
  ["q esc", "back; in the list: quit"],
  ["ctrl-c", "quit"],
];

export class HelpView implements UiView {
  readonly keys: readonly KeyHint[] = [["any key", "back"]];
  readonly #of: readonly KeyHint[];
  readonly #stage: UiStage;
  constructor(of: readonly KeyHint[], stage: UiStage) {
    this.#of = of;
    this.#stage = stage;
  }
  title(): string {
    return "keys";
  }
  right(): readonly string[] {
    return [];
  }
  lines({ colours }: UiPlace): readonly string[] {
    const { bold } = paint(colours);
    const all = [...this.#of.filter(([key]) => key !== "q" && key !== "?"), ...EVERYWHERE];
    return all.map(([key, does]) => `  ${bold(key)}${" ".repeat(Math.max(1, 16 - key.length))}${does}`);
  }
  press(): boolean {
    this.#stage.back();
    return true;
  }
}
