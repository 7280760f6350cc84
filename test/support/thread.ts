/**
 * What an editor keeps of a conversation that takes `refusal` as the protocol's schema allows: the refused prompt and all
 * that came after it is dropped, and a notice of the editor's own stands there.
 */
import type { Answer, Editor } from "./acp-editor.ts";
import { saidIn } from "./acp-editor.ts";

export class Thread {
  readonly #editor: Editor;
  readonly #session: string;
  /** What was said, a text for each prompt that was kept. */
  readonly kept: string[] = [];
  constructor(editor: Editor, session: string) {
    this.#editor = editor;
    this.#session = session;
  }

  prompt(text: string): Promise<Answer> {
    return this.send([{ type: "text", text }]);
  }
  async send(prompt: object[]): Promise<Answer> {
    const from = this.#editor.trace.length;
    const answer = await this.#editor.request("session/prompt", { sessionId: this.#session, prompt });
    const { stopReason } = (answer.result ?? {}) as { stopReason?: string };
    if (stopReason !== "refusal") this.kept.push(saidIn(this.#editor.trace.slice(from)));
    return answer;
  }
}
