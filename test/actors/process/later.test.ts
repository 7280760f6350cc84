import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { later } from "../../../actors/process/later.ts";
import type { Running } from "../../../actors/process/running.ts";

const MANY = 64;
const PIECE = "x".repeat(4096);

/** A child whose input takes so many pieces. */
function child(takes: number): { running: Running; taken: string[] } {
  const taken: string[] = [];
  const stdin = new Writable({
    write: (bytes: Buffer, _, done) => {
      if (taken.length === takes) return done(new Error("EPIPE"));
      taken.push(bytes.toString());
      done();
    },
  });
  stdin.on("error", () => undefined);
  const ended = new Promise<never>(() => undefined);
  return { running: { pid: 7, stdin, ended, terminate: async () => undefined }, taken };
}

/** Of each write, whether it was taken. */
const written = ({ stdin }: Running): Promise<boolean[]> =>
  Promise.all(
    Array.from({ length: MANY }, () => new Promise<boolean>((done) => stdin?.write(PIECE, (error) => done(!error)))),
  );

it("what is written before the start reaches the child, in order (I1)", async () => {
  const { running, taken } = child(MANY);
  const coming = Promise.withResolvers<Running>();
  const one = later(coming.promise, "pipe");
  const wrote = written(one);
  coming.resolve(running);
  expect(await wrote).toEqual(Array.from({ length: MANY }, () => true));
  expect(taken.join("")).toBe(PIECE.repeat(MANY));
});

it("nobody waits for what a child that has closed its input does not take (I2)", async () => {
  const { running } = child(1);
  const wrote = await written(later(Promise.resolve(running), "pipe"));
  expect(wrote.at(-1)).toBe(false);
});
