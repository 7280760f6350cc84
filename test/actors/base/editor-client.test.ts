import { expect, test } from "vitest";
import { limited } from "../../../actors/base/editor-client.ts";

test("a call that the editor does not answer in time is given up (I1)", async () => {
  const late = new AbortController();
  let told: AbortSignal | undefined;
  const write = limited(
    (_path, _content, signal) => {
      told = signal;
      return new Promise(() => undefined);
    },
    () => late.signal,
  );
  const pending = write("/a", "text", new AbortController().signal);
  late.abort();
  await expect(pending).rejects.toThrow("the editor did not answer in 60 s");
  expect(told?.aborted).toBe(true);
});

test("one that is cancelled says so, and one that is answered has no limit left", async () => {
  const cancelled = new AbortController();
  cancelled.abort();
  const never = limited(() => new Promise(() => undefined));
  await expect(never("/a", "", cancelled.signal)).rejects.toThrow("it was cancelled");
  const done = limited(() => Promise.resolve());
  await expect(done("/a", "", new AbortController().signal)).resolves.toBeUndefined();
});
