/** What the UI shows one of at a time: a place to look at, which takes keys. */
import type { KeyHint, UiPlace } from "../../projections/ui/frame.ts";

/** A key by its name (`up`, `enter`, `escape`, `pageup`, `ctrl-c`), or the character that was typed. */
export type KeyPress = string;

export interface UiView {
  /** Where one is. */
  title(): string;
  /** Facts beside it, what matters most first: those at the end are left out where there is no room. */
  right(): readonly string[];
  /** At most `place.height` lines. */
  lines(place: UiPlace): readonly string[];
  readonly keys: readonly KeyHint[];
  /** What steps write is seen in it: it is drawn anew when there is more. */
  readonly showsText?: true;
  /**
   * What text that is pasted is here: words of several lines, or of one, as if they were typed. Without it a paste means
   * nothing: none of its characters is a key.
   */
  readonly pasted?: "lines" | "line" | undefined;
  /** False where the key means nothing here. */
  press(key: KeyPress): boolean;
  /** A line of it was clicked, the first one being 0; as with a list: the chosen one is opened. */
  point?(line: number): void;
  /** It is left for good. */
  close?(): void;
}

/** What a view may do to the whole. */
export interface UiStage {
  open(view: UiView): void;
  back(): void;
  /** Said below, until the next key. */
  say(text: string): void;
  /** Asks below whether to do it. */
  confirm(question: string, act: () => Promise<void> | void): void;
  /** Work whose failure is said. */
  doing(work: Promise<unknown>): void;
  /** A run that this process carries, until its turn is over. */
  carrying(done: Promise<unknown>): void;
  /** The run that was just begun is the chosen one of the list, once that has it. */
  choose(run: string): void;
  redraw(): void;
  copy(text: string): void;
}
