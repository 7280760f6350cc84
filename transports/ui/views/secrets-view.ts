/**
 * The secret inputs of a run that is to go on: they are in no store, so who goes on with it gives them again.
 *
 * I1. What is typed is not seen, and is kept nowhere but in what is given.
 * I2. Who leaves it gives nothing, and nothing is done.
 * I3. A paste is one value with its lines; the line ends that a copy brings along at its end are none of it.
 */
import { type Run, troupeError } from "../../../actors/troupe.ts";
import { paint } from "../../../projections/terminal/paint.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { wrap } from "../../../projections/terminal/width.ts";
import { type KeyHint, MARK, type UiPlace, windowOf } from "../../../projections/ui/frame.ts";
import { dotted, EditedText } from "../edited.ts";
import type { UiStage, UiView } from "../view.ts";

type Inputs = { [name: string]: string };

/** Has a run go on; where that wants its secrets they are asked for, and it is tried again with them. Null: nothing was given. */
export async function withSecrets(stage: UiStage, act: (inputs: Inputs) => Promise<Run>): Promise<Run | null> {
  try {
    return await act({});
  } catch (error) {
    const names = lackingIn(error);
    if (names.length === 0) throw error;
    const given = await new Promise<Inputs | null>((resolve) => stage.open(new SecretsView(names, stage, resolve)));
    return given === null ? null : act(given);
  }
}

/** The inputs that an error says are to be given again. */
function lackingIn(error: unknown): string[] {
  const { code, details } = troupeError(error);
  const names = details["inputs"];
  if (code !== "USER.INPUT.MISSING" || !Array.isArray(names)) return [];
  return names.filter((name) => typeof name === "string");
}

/** I3. */
const withoutEnd = (typed: string): string => typed.replace(/\n+$/, "");

export class SecretsView implements UiView {
  readonly keys: readonly KeyHint[] = [
    ["enter", "next, then go on"],
    ["esc", "give nothing"],
  ];
  readonly pasted = "lines";
  readonly #names: readonly string[];
  readonly #stage: UiStage;
  readonly #give: (inputs: Inputs | null) => void;
  readonly #typed: readonly EditedText[];
  #at = 0;

  /** `give` is called once; null: it was left (I2). */
  constructor(names: readonly string[], stage: UiStage, give: (inputs: Inputs | null) => void) {
    this.#names = names;
    this.#stage = stage;
    this.#give = give;
    this.#typed = names.map(() => new EditedText());
  }

  title(): string {
    return "secrets of the run";
  }
  right(): readonly string[] {
    return [];
  }
  lines({ width, height, colours }: UiPlace): readonly string[] {
    const { bold } = paint(colours);
    const why = wrap("These values are secret and in no store: give them again, and the run goes on.", width);
    const fields = this.#typed.map(({ sides: [before, after] }, at) => {
      const isChosen = at === this.#at;
      const dots = dotted([after === "" ? withoutEnd(before) : before, withoutEnd(after)]); // I1
      const name = bold(safeLine(this.#names[at] ?? ""));
      return `${isChosen ? bold("❯") : " "} ${name}: ${dots.join(isChosen ? MARK : "")}`;
    });
    const lines = [...why, "", ...fields];
    return windowOf(lines, lines.length - fields.length + this.#at, height);
  }
  press(key: string): boolean {
    switch (key) {
      case "escape":
        this.#stage.back();
        return true;
      case "up":
      case "backtab":
        return this.#go(-1);
      case "down":
      case "tab":
        return this.#go(1);
      case "enter":
        this.#next();
        return true;
      default:
        return this.#typed[this.#at]?.press(key) ?? false;
    }
  }
  close(): void {
    this.#give(null); // of no effect where it has given
  }

  #go(by: 1 | -1): boolean {
    this.#at = Math.max(0, Math.min(this.#names.length - 1, this.#at + by));
    return true;
  }
  #valueAt(at: number): string {
    return withoutEnd(this.#typed[at]?.text ?? "");
  }
  #next(): void {
    if (this.#valueAt(this.#at) === "") return this.#stage.say("it is needed");
    const empty = this.#typed.findIndex((_, at) => this.#valueAt(at) === "");
    if (empty >= 0) {
      this.#at = empty;
      return;
    }
    this.#give(Object.fromEntries(this.#names.map((name, at) => [name, this.#valueAt(at)])));
    this.#stage.back();
  }
}
