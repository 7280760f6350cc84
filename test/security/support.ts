/** Raw bytes to and from a real `troupe acp`. */
import type { Started } from "../support/started.ts";

export type Message = { [name: string]: unknown };

export class Wire {
  readonly agent: Started;
  constructor(agent: Started) {
    this.agent = agent;
  }
  /** Resolves when the bytes were taken: what is sent in portions arrives in portions. */
  write(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.agent.child.stdin.write(bytes, () => resolve()));
  }
  /** The first line from the `from`-th on that fits. */
  async until(from: number, fits: (message: Message) => boolean): Promise<Message> {
    for (let n = from; ; n++) {
      const message = JSON.parse(await this.agent.line(n + 1)) as Message;
      if (fits(message)) return message;
    }
  }
  /** What has come since the `from`-th line. */
  since(from: number): Message[] {
    return this.agent.lines.slice(from).map((line) => JSON.parse(line) as Message);
  }
}
