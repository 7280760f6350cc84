/** Text with a place in it, and what keys change of both. One press goes over, and takes back, what is seen as one character. */
import { MARK } from "../../projections/ui/frame.ts";
import { firstSeen, lastSeen } from "./typed.ts";

/** The text before the place, and that behind it. */
export type Sides = readonly [before: string, after: string];

export class EditedText {
  #before: string[] = [];
  #after: string[] = [];

  get text(): string {
    return [...this.#before, ...this.#after].join("");
  }
  get sides(): Sides {
    return [this.#before.join(""), this.#after.join("")];
  }
  set(before: string, after = ""): void {
    this.#before = [...before];
    this.#after = [...after];
  }
  insert(text: string): void {
    this.#before.push(...text);
  }
  /** False where the key changes nothing of a text. */
  press(key: string): boolean {
    const [before, after] = [this.#before, this.#after];
    switch (key) {
      case "backspace":
        before.splice(before.length - lastSeen(before));
        return true;
      case "delete":
        after.splice(0, firstSeen(after));
        return true;
      case "left":
        after.unshift(...before.splice(before.length - lastSeen(before)));
        return true;
      case "right":
        before.push(...after.splice(0, firstSeen(after)));
        return true;
      case "ctrl-left":
        after.unshift(...before.splice(before.length - lastWord(before)));
        return true;
      case "ctrl-right":
        before.push(...after.splice(0, firstWord(after)));
        return true;
      case "home":
      case "ctrl-a":
        this.set("", this.text);
        return true;
      case "end":
      case "ctrl-e":
        this.set(this.text);
        return true;
      case "ctrl-u":
        this.#before = [];
        return true;
      case "ctrl-k":
        this.#after = [];
        return true;
      case "ctrl-w":
        before.splice(before.length - lastWord(before));
        return true;
      default:
        if ([...key].length !== 1) return false;
        this.insert(key);
        return true;
    }
  }
}

/** Of how many code points the word before a place is, with what is blank behind it; and the one behind a place. */
function lastWord(points: readonly string[]): number {
  const end = points.findLastIndex((point) => !isBlank(point)) + 1;
  return points.length - 1 - points.slice(0, end).findLastIndex(isBlank);
}
const firstWord = (points: readonly string[]): number => lastWord(points.toReversed());
const isBlank = (point: string): boolean => /\s/.test(point);

/** Where nobody is to see what is typed. */
export const dotted = ([before, after]: Sides): Sides => [dots(before), dots(after)];
const dots = (text: string): string => "•".repeat([...text].length);

/**
 * What is typed, with the mark where the next character goes. `at`: of its lines the one with the mark. `shown` makes
 * lines of a text.
 */
export function marked([before, after]: Sides, shown: (text: string) => readonly string[], mark = MARK) {
  const lines = shown(before + mark + after);
  return { lines, at: Math.min(lines.length, shown(before + mark).length) - 1 };
}
