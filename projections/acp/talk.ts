/**
 * What is said in a turn's conversation beside its cards: by its steps, and by this projection.
 *
 * I1. What we say is a paragraph of its own, whatever stands before and after it, and so is what another step says than the
 *     one before: some clients join messages. What cannot be seen in what we say is written out.
 * I2. A turn that was shown from its prompt on does not end without a word.
 */
import { visible } from "../../machines/visible.ts";
import { messageChunk, type View } from "./view.ts";

const PARAGRAPH = "\n\n";

export class Talk {
  /** Whether the turn was shown from its prompt on. */
  #began = false;
  /** Whether a step has spoken, or asked. */
  #isAlive = false;
  #text: "none" | "open" | "a paragraph" = "none";
  /** What parts the first words of this turn from those that stand before them. */
  #before = "";
  /** The message of a step that was given last. */
  #message = "";

  /** A turn begins. `follows`: what the turn before has said stands right above it. */
  begin(follows = false): void {
    this.#before = follows && this.#text === "open" ? PARAGRAPH : "";
    this.#began = true;
    this.#isAlive = false;
    this.#text = "none";
  }
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** A step speaks; of what the reader has already, `text` is nothing. */
  say(messageId: string, text: string, views: View[]): void {
    this.#isAlive = true;
    const isOther = messageId !== this.#message && stepOf(messageId) !== stepOf(this.#message);
    this.#message = messageId;
    if (isOther && this.#text === "open" && text !== "") this.#before = PARAGRAPH;
    this.#text = "open";
    if (text === "") return;
    views.push(messageChunk(messageId, this.#before + text));
    this.#before = "";
  }
  /** A step asks. */
  ask(messageId: string, text: string, views: View[]): void {
    this.#isAlive = true;
    this.write(messageId, text, views);
  }
  /** We speak; a step may continue afterwards where that is `between`. */
  write(messageId: string, text: string, views: View[], place: "between" | "last" = "last"): void {
    const before = this.#text === "open" ? PARAGRAPH : this.#before;
    this.#before = "";
    views.push(messageChunk(messageId, before + visible(text) + (place === "between" ? PARAGRAPH : "")));
    this.#text = place === "between" ? "a paragraph" : "open";
  }
  /** The turn is over: `text` where nothing was said in it. */
  end(messageId: string, text: string, views: View[]): void {
    if (this.#began && this.#text === "none") this.write(messageId, text, views);
    this.#began = false;
  }
}

/** A step's messages are named by its run, its path and the attempt: `r1/review@1.0`. */
const stepOf = (messageId: string): string => messageId.slice(0, messageId.lastIndexOf("@"));
