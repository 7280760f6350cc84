/** Every run of the user: the first view. */
import type { RunRecord } from "../../../actors/troupe.ts";
import { count } from "../../../projections/terminal/words.ts";
import { type KeyHint, MARK, type UiPlace, windowOf } from "../../../projections/ui/frame.ts";
import { isWaiting, listLine } from "../../../projections/ui/list-lines.ts";
import type { Deeds } from "../deeds.ts";
import { EditedText } from "../edited.ts";
import type { Runs } from "../runs.ts";
import type { UiStage, UiView } from "../view.ts";
import { RunView } from "./run-view.ts";

/** Runs that words are looked for in, beyond the open ones. */
const MOST_SEARCHED = 1_000;
/** Keys that move where no words are typed, each as the one that always does. */
const LETTERS: { readonly [key: string]: string } = { k: "up", j: "down", g: "home", G: "end" };

export class RunsView implements UiView {
  readonly keys: readonly KeyHint[] = [
    ["↑↓", "choose"],
    ["enter", "open"],
    ["a", "answer"],
    ["n", "new run"],
    ["c", "cancel"],
    ["r", "resume"],
    ["R", "run again"],
    ["o", "open in the page"],
    ["/", "filter"],
    ["q", "quit"],
    ["?", "help"],
  ];
  readonly #runs: Runs;
  readonly #stage: UiStage;
  readonly #deeds: Deeds;
  #chosen: string | null = null;
  /** Chosen as soon as it is read, unless another one is meanwhile. */
  #awaited: string | null = null;
  #filter: EditedText | null = null;
  #isTyping = false;
  #isReaching = false;
  #height = 1;
  /** The runs that were drawn last, line by line. */
  #visible: readonly string[] = [];

  constructor(runs: Runs, stage: UiStage, deeds: Deeds) {
    this.#runs = runs;
    this.#stage = stage;
    this.#deeds = deeds;
  }

  get pasted(): "line" | undefined {
    return this.#isTyping ? "line" : undefined;
  }
  title(): string {
    return this.#filter === null ? "troupe" : `troupe /${this.#filter.sides.join(this.#isTyping ? MARK : "")}`;
  }
  right(): readonly string[] {
    const { records } = this.#runs;
    const [waiting, running] = [
      records.filter(isWaiting).length,
      records.filter(({ status }) => status === "running").length,
    ];
    const waits = waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? "waits" : "wait"} for you`];
    const all = `${count(records.length, "run")}${this.#runs.isCut ? " and more" : ""}`;
    return [...waits, `${running} running`, all];
  }
  lines(place: UiPlace): readonly string[] {
    this.#height = place.height;
    this.#meet();
    const records = this.#shown();
    if (records.length === 0) return ["", `  ${this.#noneShown()}`];
    const at = this.#at(records);
    // From the first drawing on the chosen run is one run, wherever others push it.
    this.#chosen = records[at]?.id ?? null;
    const visible = windowOf(records, at, place.height);
    this.#visible = visible.map(({ id }) => id);
    this.#runs.look(this.#visible);
    return visible.map((record) =>
      listLine({ record, screen: this.#runs.screenOf(record.id) }, record.id === records[at]?.id, place),
    );
  }
  choose(run: string): void {
    this.#awaited = run;
    this.#runs.soon();
  }
  point(line: number): void {
    const run = this.#visible[line];
    if (run === undefined) return;
    if (run === this.#chosen) {
      this.#isTyping = false;
      this.press("enter");
    } else {
      this.#awaited = null;
      this.#chosen = run;
    }
  }
  press(key: string): boolean {
    if (this.#isTyping) return this.#type(key);
    if (this.#moved(LETTERS[key] ?? key)) return true;
    const records = this.#shown();
    const run = records[this.#at(records)];
    switch (key) {
      case "/":
        this.#filter ??= new EditedText();
        this.#isTyping = true;
        return true;
      case "escape":
        this.#filter = null;
        return true;
      case "n":
        this.#deeds.begin();
        return true;
      case "enter":
      case "right":
        if (run !== undefined) this.#stage.open(new RunView(run.id, this.#runs, this.#stage, this.#deeds));
        return true;
      case "a": {
        const asking = run !== undefined && isWaiting(run) ? run : records.find(isWaiting);
        return asking === undefined ? this.#none() : this.#deeds.press(key, asking);
      }
      default:
        return run !== undefined && this.#deeds.press(key, run);
    }
  }

  /** False where the key moves nothing. */
  #moved(key: string): boolean {
    const records = this.#shown();
    const at = this.#at(records);
    const [up, down] = [at - this.#height, at + this.#height];
    const moves: { readonly [key: string]: number } = { up: at - 1, down: at + 1, home: 0, pageup: up, pagedown: down };
    const to = moves[key];
    if (key === "home" && this.#filter === null) this.#runs.fewer();
    if (to !== undefined) return this.#move(records, to);
    if (key !== "end") return false;
    this.#awaited = null;
    this.#chosen = records.at(-1)?.id ?? null;
    this.#stage.doing(this.#toEnd(this.#chosen));
    return true;
  }
  #meet(): void {
    if (this.#awaited === null || this.#runs.find(this.#awaited) === undefined) return;
    this.#chosen = this.#awaited;
    this.#awaited = null;
  }
  #noneShown(): string {
    const { isCut, records } = this.#runs;
    if (this.#filter === null) return "No runs yet. n begins one.";
    return isCut ? `None of the last ${records.length} runs is so called.` : "No run is so called.";
  }
  /** Words are looked for in more runs than are listed, until they fill the list. */
  async #reach(): Promise<void> {
    if (this.#isReaching) return;
    this.#isReaching = true;
    try {
      while (this.#wantsMore()) await this.#runs.load(Math.min(MOST_SEARCHED, 4 * this.#runs.records.length));
    } finally {
      this.#isReaching = false;
    }
  }
  /** The last of all runs, once they are read; unless another one has been chosen meanwhile. */
  async #toEnd(from: string | null): Promise<void> {
    while (this.#runs.isCut && this.#chosen === from) {
      const before = this.#runs.records.length;
      await this.#runs.load(4 * before);
      if (this.#runs.records.length === before) break; // the view was left
    }
    if (this.#chosen !== from) return;
    this.#chosen = this.#shown().at(-1)?.id ?? null;
    this.#stage.redraw();
  }
  #wantsMore(): boolean {
    const { isCut, records } = this.#runs;
    const isOpen = (this.#filter?.text ?? "") !== "" && isCut;
    return isOpen && records.length < MOST_SEARCHED && this.#shown().length < this.#height;
  }
  #none(): boolean {
    this.#stage.say("nothing waits for you");
    return true;
  }
  #move(records: readonly RunRecord[], to: number): boolean {
    this.#awaited = null;
    this.#chosen = records[Math.max(0, Math.min(records.length - 1, to))]?.id ?? null;
    if (to >= records.length - 1 && this.#runs.isCut)
      this.#stage.doing(this.#runs.load(records.length + 2 * this.#height));
    return true;
  }
  #type(key: string): boolean {
    if (this.#moved(key)) return true;
    if (key === "enter" || key === "escape") this.#isTyping = false;
    if (key === "escape" || (key === "backspace" && this.#filter?.text === "")) {
      this.#filter = null;
      this.#isTyping = false;
    } else this.#filter?.press(key);
    this.#stage.doing(this.#reach());
    return true;
  }
  #shown(): readonly RunRecord[] {
    const words = (this.#filter?.text ?? "").toLowerCase();
    if (words === "") return this.#runs.records;
    return this.#runs.records.filter(({ workflow, id, status }) =>
      [workflow, id, status].some((text) => text.toLowerCase().includes(words)),
    );
  }
  /** The chosen one goes with its run, not with its place. */
  #at(records: readonly RunRecord[]): number {
    return Math.max(
      0,
      records.findIndex(({ id }) => id === this.#chosen),
    );
  }
}
