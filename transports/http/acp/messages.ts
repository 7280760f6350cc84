/** Messages out to the SDK's server, which puts each on the stream it belongs to. */
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { Outgoing } from "../../acp/outgoing.ts";

export class MessageWriter extends Outgoing {
  readonly #writer: WritableStreamDefaultWriter<AnyMessage>;
  readonly #onMessage: (message: AnyMessage) => void;
  #isWaiting = false;

  /** `onMessage` sees each message before it goes out. */
  constructor(
    writable: WritableStream<AnyMessage>,
    onClosed: () => void,
    onMessage: (message: AnyMessage) => void = () => undefined,
  ) {
    super(onClosed);
    this.#onMessage = onMessage;
    this.#writer = writable.getWriter();
    const end = (): void => this.end();
    this.#writer.closed.then(end, end);
  }

  protected get isFull(): boolean {
    return (this.#writer.desiredSize ?? 0) <= 0;
  }
  protected carry(lines: readonly string[]): number {
    let taken = 0;
    while (taken < lines.length && !(taken > 0 && this.isFull)) {
      const message = JSON.parse(lines[taken++] as string) as AnyMessage;
      this.#onMessage(message);
      this.#writer.write(message).catch(() => undefined); // `closed` says the same
    }
    if (this.isFull) this.#wait();
    return taken;
  }
  #wait(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#writer.ready.then(
      () => {
        this.#isWaiting = false;
        this.free();
      },
      () => undefined,
    );
  }
}
