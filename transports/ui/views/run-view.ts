/** One run: the tree of its steps, as it grows. */
import { goesOn } from "../../../projections/runs/standing.ts";
import type { StepNode } from "../../../projections/runs/step-node.ts";
import { usageWords } from "../../../projections/runs/usage-words.ts";
import { count, elapsed } from "../../../projections/terminal/words.ts";
import { type KeyHint, MARK, type UiPlace, windowOf } from "../../../projections/ui/frame.ts";
import { firstFailure, rowLines, type TreeRow, treeRows } from "../../../projections/ui/tree-rows.ts";
import type { Deeds } from "../deeds.ts";
import { EditedText } from "../edited.ts";
import type { Runs } from "../runs.ts";
import type { UiStage, UiView } from "../view.ts";

export class RunView implements UiView {
  readonly keys: readonly KeyHint[] = [
    ["↑↓", "choose"],
    ["enter", "read"],
    ["←→", "fold"],
    ["f", "first failure"],
    ["a", "answer"],
    ["/", "find"],
    ["n", "next"],
    ["N", "one before"],
    ["y", "copy"],
    ["c", "cancel"],
    ["r", "resume"],
    ["R", "run again"],
    ["o", "open in the page"],
    ["q", "back"],
    ["?", "help"],
  ];
  readonly showsText = true;
  readonly #run: string;
  readonly #runs: Runs;
  readonly #stage: UiStage;
  readonly #deeds: Deeds;
  readonly #turned = new Map<string, boolean>();
  #chosen: string | null = null;
  #search: EditedText | null = null;
  /** What was looked for last. */
  #sought = "";
  #height = 1;
  /** Of which step each line is that was drawn last. */
  #visible: readonly string[] = [];
  #now = 0;

  constructor(run: string, runs: Runs, stage: UiStage, deeds: Deeds) {
    this.#run = run;
    this.#runs = runs;
    this.#stage = stage;
    this.#deeds = deeds;
    runs.look([run]);
  }

  get pasted(): "line" | undefined {
    return this.#search === null ? undefined : "line";
  }
  title(): string {
    const record = this.#runs.find(this.#run);
    const name = `${record?.workflow ?? "run"} ${this.#run.slice(0, 8)} ${record?.status ?? ""}`;
    return this.#search === null ? name : `${name} /${this.#search.sides.join(MARK)}`;
  }
  right(): readonly string[] {
    const screen = this.#runs.screenOf(this.#run);
    if (screen === null) return [];
    const { ended, of } = screen.progress;
    const steps = of > 0 ? [`${ended} of ${count(of, "step")}`] : [];
    return [...steps, elapsed(screen.workedMs(this.#now)), ...usageWords(screen.fold.total.sum())];
  }
  lines(place: UiPlace): readonly string[] {
    this.#height = place.height;
    this.#now = place.now;
    this.#runs.look([this.#run]);
    const screen = this.#runs.screenOf(this.#run);
    if (screen === null) return [];
    const rows = this.#rows();
    const chosen = rows[this.#at(rows)];
    const isAlive = goesOn(this.#runs.find(this.#run)?.status ?? "");
    const around = windowOf(rows, this.#at(rows), place.height);
    const lines = around.flatMap((row) =>
      rowLines(screen, row, { isChosen: row === chosen, isAlive }, place).map((text) => ({ row, text })),
    );
    const at = lines.findIndex(({ row }) => row === chosen);
    const visible = windowOf(lines, at, place.height);
    this.#visible = visible.map(({ row }) => row.node.address);
    return visible.map(({ text }) => text);
  }
  point(line: number): void {
    const step = this.#visible[line];
    if (step === undefined) return;
    if (step === this.#chosen) this.press("enter");
    else this.#chosen = step;
  }
  press(key: string): boolean {
    if (this.#search !== null) return this.#find(key, this.#search);
    const rows = this.#rows();
    const at = this.#at(rows);
    const node = rows[at]?.node;
    const moves: { readonly [key: string]: number } = {
      ...{ up: at - 1, k: at - 1, down: at + 1, j: at + 1, home: 0, g: 0, end: rows.length - 1, G: rows.length - 1 },
      ...{ pageup: at - this.#height, pagedown: at + this.#height },
    };
    const to = moves[key];
    if (to !== undefined) {
      this.#chosen = rows[Math.max(0, Math.min(rows.length - 1, to))]?.node.address ?? null;
      return true;
    }
    switch (key) {
      case "f":
        return this.#goTo(firstFailure(this.#runs.screenOf(this.#run)?.fold.roots ?? []), "nothing has failed");
      case "/":
        this.#search = new EditedText();
        return true;
      case "n":
      case "N":
        return this.#seek(key === "n" ? 1 : -1);
      case "left":
        if (node !== undefined && node.children.length > 0 && rows[at]?.isOpen === true)
          this.#turned.set(node.address, false);
        else if (node?.above != null) this.#chosen = node.above.address;
        return true;
      case "right":
        if (node !== undefined) this.#turned.set(node.address, true);
        return true;
      case "enter":
        if (node !== undefined) this.#deeds.read(this.#run, node.address);
        return true;
      case "y":
        if (node !== undefined) this.#copy(node);
        return true;
      default: {
        const record = this.#runs.find(this.#run);
        return record !== undefined && this.#deeds.press(key, record, node?.address ?? null);
      }
    }
  }

  #rows(): TreeRow[] {
    return treeRows(this.#runs.screenOf(this.#run)?.fold.roots ?? [], this.#turned);
  }
  #at(rows: readonly TreeRow[]): number {
    return Math.max(
      0,
      rows.findIndex(({ node }) => node.address === this.#chosen),
    );
  }
  /** Opens what it stands in. */
  #goTo(node: StepNode | null, none: string): boolean {
    if (node === null) this.#stage.say(none);
    else {
      for (let { above } = node; above !== null; above = above.above) this.#turned.set(above.address, true);
      this.#chosen = node.address;
    }
    return true;
  }
  #find(key: string, words: EditedText): boolean {
    if (key === "escape") this.#search = null;
    else if (key === "enter") {
      this.#search = null;
      this.#sought = words.text === "" ? this.#sought : words.text;
      return this.#seek(1);
    } else words.press(key);
    return true;
  }
  /** The next step whose address holds the words, behind the last one the first; or the one before. */
  #seek(by: 1 | -1): boolean {
    const all = (nodes: readonly StepNode[]): StepNode[] => nodes.flatMap((node) => [node, ...all(node.children)]);
    const nodes = all(this.#runs.screenOf(this.#run)?.fold.roots ?? []);
    const words = this.#sought.toLowerCase();
    const at = nodes.findIndex(({ address }) => address === this.#chosen);
    const behind = by > 0 ? nodes.slice(at + 1) : nodes.slice(0, Math.max(0, at)).toReversed();
    const rest = by > 0 ? nodes.slice(0, at + 1) : nodes.slice(Math.max(0, at)).toReversed();
    const found =
      words === "" ? undefined : [...behind, ...rest].find((one) => one.address.toLowerCase().includes(words));
    return this.#goTo(found ?? null, words === "" ? "/ finds" : `no step is called "${this.#sought}"`);
  }
  #copy(node: StepNode): void {
    const text = [...node.output.lines(Number.MAX_SAFE_INTEGER), ...node.errors.lines(Number.MAX_SAFE_INTEGER)].join(
      "\n",
    );
    if (text === "") this.#stage.say("it wrote nothing");
    else this.#stage.copy(text);
  }
}
