import type { AnyMessage } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { MAX_HELD_CHARS } from "../../../../transports/acp/outgoing.ts";
import { MessageWriter } from "../../../../transports/http/acp/messages.ts";

const TEXT = "x".repeat(1_000);

test("a client that takes nothing pauses what speaks; it continues, in order, when the client reads", async () => {
  const taken: AnyMessage[] = [];
  let take = (): void => undefined;
  let isReading = false;
  const writable = new WritableStream<AnyMessage>({
    write: (message) => {
      taken.push(message);
      if (!isReading)
        return new Promise((resolve) => {
          take = resolve;
        });
      return undefined;
    },
  });
  const writer = new MessageWriter(writable, () => undefined);
  let isPaused = false;
  const resumed = Promise.withResolvers<void>();
  const source = {
    pause: () => {
      isPaused = true;
    },
    resume: () => resumed.resolve(),
  };
  const most = (2 * MAX_HELD_CHARS) / TEXT.length;
  let sent = 0;
  while (!isPaused && sent < most) {
    writer.update("s", { n: sent++, TEXT });
    writer.throttle(source);
    await null;
  }
  expect(isPaused).toBe(true);
  expect(sent * TEXT.length).toBeLessThan(1.2 * MAX_HELD_CHARS);
  expect(taken.length).toBeLessThan(3);
  isReading = true;
  take();
  await resumed.promise;
  await writer.drained();
  expect(taken.map((message) => (message as { params?: { update: { n: number } } }).params?.update.n)).toEqual(
    Array.from({ length: sent }, (_, n) => n),
  );
});
