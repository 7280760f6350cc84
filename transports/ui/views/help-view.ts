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
  readonly #of: readonly KeyHint[];
  readonly #stage: UiStage;
  #top = 0;
  #last = 0;
  constructor(of: readonly KeyHint[], stage: UiStage) {
    this.#of = of;
    this.#stage = stage;
  }
  get keys(): readonly KeyHint[] {
    if (this.#last === 0) return [["any key", "back"]];
    return [
      ["↑↓", "scroll"],
      ["any other key", "back"],
    ];
  }
  title(): string {
    return "keys";
  }
  right(): readonly string[] {
    return [];
  }
  lines({ height, colours }: UiPlace): readonly string[] {
    const { bold } = paint(colours);
    const all = [...this.#of.filter(([key]) => key !== "q" && key !== "?"), ...EVERYWHERE];
    const lines = all.map(([key, does]) => `  ${bold(key)}${" ".repeat(Math.max(1, 16 - key.length))}${does}`);
    this.#last = Math.max(0, lines.length - height);
    this.#top = Math.min(this.#top, this.#last);
    return lines.slice(this.#top, this.#top + height);
  }
  press(key: string): boolean {
    if (this.#last > 0 && (key === "up" || key === "down"))
      this.#top = Math.max(0, Math.min(this.#last, this.#top + (key === "up" ? -1 : 1)));
    else this.#stage.back();
    return true;
  }
}
