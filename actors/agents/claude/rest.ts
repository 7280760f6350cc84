/**
 * Whether the program works on something after a result: it may take up what has come of work in the background, and
 * then gives another result.
 */
import { type Fields, listAt, textAt } from "../../base/json.ts";

export class Rest {
  #isWorking = true;
  /** Work in the background, as far as a version tells it. */
  #tasks = 0;

  get isAtRest(): boolean {
    return !this.#isWorking && this.#tasks === 0;
  }

  take(message: Fields): void {
    switch (textAt(message, "type")) {
      case "result":
        this.#isWorking = false;
        return;
      case "system":
        if (textAt(message, "subtype") === "background_tasks_changed") this.#tasks = listAt(message, "tasks").length;
        else if (BEGINS.has(textAt(message, "subtype") ?? "")) this.#isWorking = true;
        return;
      default:
        if (WORK.has(textAt(message, "type") ?? "")) this.#isWorking = true;
    }
  }
}

/** What a turn begins with, and what it is made of. */
const BEGINS: ReadonlySet<string> = new Set(["init", "status", "api_retry"]);
const WORK: ReadonlySet<string> = new Set(["assistant", "user", "stream_event", "control_request"]);
