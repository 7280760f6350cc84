import { expect, it } from "vitest";
import { runProgram } from "../../../actors/agents/program.ts";
import { Masking } from "../../../actors/masking/masking.ts";
import { fakeProgram } from "./fake-program.ts";

const TOKEN = "sk-abcdefghijklmnopqrstuvwxyz0123456789";

it("keeps no half of a secret that was cut with what a program said first", async () => {
  const { spawn } = fakeProgram((process) => {
    process.err(`the key ${TOKEN} is wrong\n${"y".repeat(3970)}`);
    process.end({ type: "exited", code: 1 });
  });
  const { stderr } = await runProgram({
    call: { argv: ["x"], env: {}, input: "" },
    request: { cwd: "/", marker: {} },
    signal: new AbortController().signal,
    ...{ spawn, emit: () => undefined, onLine: () => undefined },
  });
  expect(new Masking([["A_TOKEN", TOKEN]]).text(stderr)).toBe("y".repeat(3970));
});

it("is ended where its step ended before it was started", async () => {
  const { spawn, started } = fakeProgram(() => undefined);
  await runProgram({
    call: { argv: ["x"], env: {}, input: "" },
    request: { cwd: "/", marker: {} },
    signal: AbortSignal.abort(),
    ...{ spawn, emit: () => undefined, onLine: () => undefined },
  });
  expect(started[0]?.terminated).toHaveLength(1);
});

it("is ended where the reader of its lines throws, and fails with that alone (I3)", async () => {
  const { spawn, started } = fakeProgram((process) => {
    process.out("one\ntwo\n");
    process.err("three\n");
  });
  const fault = new Error("cannot read this");
  const read: string[] = [];
  const run = runProgram({
    call: { argv: ["x"], env: {}, input: "" },
    request: { cwd: "/", marker: {} },
    signal: new AbortController().signal,
    ...{ spawn, emit: () => undefined, onErrorLine: (line) => void read.push(line) },
    onLine: (line) => {
      read.push(line);
      throw fault;
    },
  });
  await expect(run).rejects.toBe(fault);
  expect(read).toEqual(["one"]);
  expect(started[0]?.terminated).toHaveLength(1);
});
