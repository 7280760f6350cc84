/**
 * What a person types before it is sent: text with a place in it, and what was sent before. Pure of any terminal.
 *
 * I1. What is pasted is text, newlines too: it is never sent by itself, and none of it is a key that does something.
 * I2. One press goes over, and takes back, what is seen as one character.
 * I3. A backslash before enter, and a paste, begin another line; enter sends.
 */
import { EditedText, type Sides } from "../ui/edited.ts";

/** `submit`: what is to be sent. `ignored`: the key means nothing here. */
export type Typed = { is: "changed" } | { is: "submit"; text: string } | { is: "ignored" };

const CHANGED: Typed = { is: "changed" };
const IGNORED: Typed = { is: "ignored" };
const MOST_KEPT = 100;
const TAB = "    ";
/** Keys that are text in a paste. */
const PASTED: { readonly [key: string]: string } = { enter: "\n", tab: TAB };

export class Composer {
  readonly #line = new EditedText();
  #isPasting = false;
  readonly #sent: string[] = [];
  #past: number | null = null;
  #draft = "";

  get text(): string {
    return this.#line.text;
  }
  /** With a mark where the next character goes, and its place. */
  shown(mark: string): { text: string; at: number } {
    const [before, after] = this.sides;
    return { text: before + mark + after, at: before.length };
  }
  get sides(): Sides {
    return this.#line.sides;
  }
  /** Between the beginning of a paste and its end. */
  get isPasting(): boolean {
    return this.#isPasting;
  }
  set(before: string, after = ""): void {
    this.#line.set(before, after);
  }

  press(key: string): Typed {
    if (key === "paste-start" || key === "paste-end") {
      this.#isPasting = key === "paste-start";
      return CHANGED;
    }
    if (this.#isPasting) return this.#insert(PASTED[key] ?? key);
    switch (key) {
      case "enter":
        return this.#enter();
      case "up":
      case "down":
        return this.#recall(key);
      default:
        return this.#line.press(key) ? CHANGED : IGNORED;
    }
  }

  #insert(text: string): Typed {
    if ([...text].length !== 1 && text !== TAB) return IGNORED;
    this.#line.insert(text);
    return CHANGED;
  }

  #enter(): Typed {
    const [before, after] = this.sides;
    if (before.endsWith("\\")) {
      this.set(`${before.slice(0, -1)}\n`, after);
      return CHANGED;
    }
    const { text } = this;
    this.set("");
    this.#past = null;
    if (text.trim() !== "") this.#sent.push(text);
    this.#sent.splice(0, Math.max(0, this.#sent.length - MOST_KEPT));
    return { is: "submit", text };
  }
  /** What was sent before, and back to what is being typed. */
  #recall(way: "up" | "down"): Typed {
    const at = this.#past ?? this.#sent.length;
    const next = way === "up" ? at - 1 : at + 1;
    if (next < 0 || next > this.#sent.length || (way === "down" && this.#past === null)) return IGNORED;
    if (this.#past === null) this.#draft = this.text;
    this.#past = next === this.#sent.length ? null : next;
    this.set(this.#past === null ? this.#draft : (this.#sent[next] ?? ""));
    return CHANGED;
  }
}
