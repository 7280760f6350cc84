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
