/** The words of prompts that were given and are not sent yet. */
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { promptBlocks } from "./prompt-blocks.ts";

export class Prompts {
  readonly #texts = new Map<string, string>();
  #given = 0;
  /** Stands before the next one, until one was answered. */
  preface: readonly string[];
  constructor(preface: readonly string[]) {
    this.preface = preface;
  }

  add(text: string): string {
    const id = String(++this.#given);
    this.#texts.set(id, text);
    return id;
  }
  shown(id: string): { id: string; text: string } {
    return { id, text: this.#texts.get(id) ?? "" };
  }
  drop(id: string): void {
    this.#texts.delete(id);
  }
  /** What is sent of it. Throws as `promptBlocks` does; it is not there any more then either. */
  take(id: string, place: Parameters<typeof promptBlocks>[1]): ContentBlock[] {
    const { text } = this.shown(id);
    this.drop(id);
    const blocks = promptBlocks(text, place);
    return [...this.preface.map((one): ContentBlock => ({ type: "text", text: one })), ...blocks];
  }
}
