import { Writable } from "node:stream";
import { setImmediate as tick } from "node:timers/promises";
import { expect, test } from "vitest";
import { MAX_HELD_CHARS } from "../../../transports/acp/outgoing.ts";
import { LineWriter } from "../../../transports/acp/writer.ts";

/** An output that takes one write at a time, on demand. */
function output() {
  const writes: string[] = [];
  const taken: (() => void)[] = [];
  const stream = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      writes.push(chunk);
      taken.push(done);
    },
  });
  const take = async (): Promise<void> => {
    taken.shift()?.();
    await tick();
  };
  return { stream, writes, take };
}
function source() {
  const calls: string[] = [];
  return { calls, pause: () => calls.push("pause"), resume: () => calls.push("resume") };
}
const never = (): void => {
  throw new Error("the output did not close");
};

test("what is sent to a closed output is dropped, and its sender gets a code (I2)", async () => {
  const { stream } = output();
  const closed = Promise.withResolvers<void>();
  const writer = new LineWriter(stream, closed.resolve);
  expect(writer.send({ a: 1 })).toBeNull();
  stream.destroy();
  await closed.promise;
  expect(writer.send({ a: 2 })).toMatchObject({ code: "SYSTEM.CLIENT.NOT_CONNECTED" });
});

test("what is sent in a tick goes out in one write, in order", async () => {
  const { stream, writes } = output();
  const writer = new LineWriter(stream, never);
  writer.send({ a: 1 });
  writer.update("s", { sessionUpdate: "x" });
  expect(writes).toEqual([]);
  await tick();
  expect(writes).toEqual([
    '{"a":1}\n{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"x"}}}\n',
  ]);
});

test("an answer goes out in this turn of the loop, behind what was sent before and beside it (I3)", async () => {
  const { stream, writes } = output();
  const writer = new LineWriter(stream, never);
  writer.send({ method: "a" });
  await Promise.resolve();
  writer.send({ id: 1, result: {} });
  writer.send({ id: 2, error: {} });
  await new Promise((resolve) => process.nextTick(resolve));
  expect(writes).toEqual(['{"method":"a"}\n{"id":1,"result":{}}\n{"id":2,"error":{}}\n']);
});

test("a request of ours waits for what else its tick brings", async () => {
  const { stream, writes } = output();
  const writer = new LineWriter(stream, never);
  writer.send({ id: 1, method: "a" });
  await new Promise((resolve) => process.nextTick(resolve));
  expect(writes).toEqual([]);
});

test("a reader that does not read: nothing is written, sources are paused above the limit and resumed (I1)", async () => {
  const { stream, writes, take } = output();
  const writer = new LineWriter(stream, never);
  const one = source();
  writer.send({ a: 1 });
  writer.flush();
  writer.throttle(one);
  expect(one.calls).toEqual([]);
  writer.send({ a: "x".repeat(MAX_HELD_CHARS) });
  writer.throttle(one);
  writer.throttle(one);
  expect(one.calls).toEqual(["pause"]);
  expect(writes).toHaveLength(1);
  await take();
  expect(writes).toHaveLength(2);
  expect(one.calls).toEqual(["pause"]);
  await take();
  expect(one.calls).toEqual(["pause", "resume"]);
});

test("a source that ended is not resumed", async () => {
  const { stream, take } = output();
  const writer = new LineWriter(stream, never);
  const one = source();
  writer.send({});
  writer.flush();
  writer.send({ a: "x".repeat(MAX_HELD_CHARS) });
  writer.throttle(one);
  writer.forget(one);
  await take();
  await take();
  expect(one.calls).toEqual(["pause"]);
});

test("drained waits until the output has taken everything", async () => {
  const { stream, take } = output();
  const writer = new LineWriter(stream, never);
  writer.send({});
  let isDrained = false;
  const drained = writer.drained().then(() => {
    isDrained = true;
  });
  await tick();
  expect(isDrained).toBe(false);
  await take();
  await drained;
});

test("a closed output is reported once, ends every wait, and takes nothing more (I2)", async () => {
  const { stream, writes } = output();
  let closed = 0;
  const writer = new LineWriter(stream, () => closed++);
  writer.send({});
  const drained = writer.drained();
  stream.destroy(Object.assign(new Error("EPIPE"), { code: "EPIPE" }));
  await drained;
  await tick();
  expect(closed).toBe(1);
  writer.send({ late: true });
  await writer.drained();
  expect(writes).toEqual(["{}\n"]);
});
