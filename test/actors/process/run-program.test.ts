import { expect, it } from "vitest";
import { runProgram } from "../../../actors/process/run-program.ts";

const run = (script: string, limitMs?: number) =>
  runProgram({
    path: "/bin/sh",
    args: ["-c", script],
    env: { PATH: process.env["PATH"] ?? "" },
    cwd: "/",
    ...(limitMs === undefined ? {} : { limitMs }),
  });

it("gives what a program wrote, and how it ended", async () => {
  expect(await run("echo out; echo err >&2; exit 3")).toEqual({
    code: 3,
    stdout: Buffer.from("out\n"),
    stderr: "err\n",
  });
});

it("waits no longer than its limit for a program that minds no signal", async () => {
  const began = performance.now();
  const { code } = await run("trap '' TERM INT; exec sleep 20", 200);
  expect(code).toBe(128);
  expect(performance.now() - began).toBeLessThan(10_000);
});
