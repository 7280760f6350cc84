/** What a client does for its agent: files and terminals. Troupe's client, asked by an agent in a process of its own. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import type { Message } from "../wire.ts";

const UPDATE = "session/update";
const DESK = { files: { write: "allow" }, terminals: { mayRun: async () => true } } as const;
type Step = { call: string; params: object } | { update: object };

/** Makes the agent take these steps, and shows the requests and their answers. */
async function asked(stage: Stage, steps: readonly Step[]) {
  const { client, tap, shown } = await stage.probe(DESK);
  const session = await client.newSession({ cwd: stage.cwd });
  expect(await session.prompt(JSON.stringify(steps))).toMatchObject({ stopReason: "end_turn" });
  for (const step of steps) {
    if ("update" in step) shown.show(UPDATE);
    else shown.show(step.call, `=${step.call}`);
  }
  return tap.trace.flatMap(({ from, message }) => {
    if (from !== "client" || "method" in message) return [];
    return [message as { result?: Message; error?: { code: number } }];
  });
}
const create = (script: string): Step => ({ call: "terminal/create", params: { command: "sh", args: ["-c", script] } });
/** A request about the last terminal, or about the first one. */
const call = (name: string, terminalId = "$terminal"): Step => ({ call: `terminal/${name}`, params: { terminalId } });
const fs = (name: string, params: object): Step => ({ call: `fs/${name}_text_file`, params });

scenario("S33", async (stage) => {
  const path = join(stage.cwd, "notes.md");
  writeFileSync(path, "one\ntwo\nthree\nfour\n");
  const answers = await asked(stage, [
    fs("read", { path }),
    fs("read", { path, line: 2, limit: 2 }),
    fs("read", { path: "notes.md" }),
  ]);
  expect(answers.map(({ result, error }) => result?.["content"] ?? error?.code)).toEqual([
    "one\ntwo\nthree\nfour\n",
    expect.stringMatching(/^two\nthree\n?$/),
    -32602,
  ]);
});

scenario("S34", async (stage) => {
  const path = join(stage.cwd, "written.md");
  mkdirSync(join(stage.cwd, "folder"), { recursive: true });
  const answers = await asked(stage, [
    fs("write", { path, content: "as it was sent\n" }),
    fs("write", { path: join(stage.cwd, "folder"), content: "no file" }),
  ]);
  expect(answers.map(({ error }) => error?.code)).toEqual([undefined, -32603]);
  expect(readFileSync(path, "utf8")).toBe("as it was sent\n");
});

scenario("S35", async (stage) => {
  const answers = await asked(stage, [
    create("echo hello"),
    {
      update: {
        sessionUpdate: "tool_call",
        toolCallId: "card",
        title: "Say hello",
        kind: "execute",
        content: [{ type: "terminal", terminalId: "$terminal" }],
      },
    },
    call("wait_for_exit"),
    call("output"),
    call("release"),
  ]);
  expect(answers.every(({ error }) => error === undefined)).toBe(true);
  expect(answers[2]?.result).toMatchObject({ output: "hello\n", truncated: false, exitStatus: { exitCode: 0 } });
});

scenario("S36", async (stage) => {
  const answers = await asked(stage, [
    create("echo before; : > said; exec sleep 600"),
    create("until [ -e said ]; do sleep 0.01; done"),
    call("wait_for_exit"),
    call("kill", "$first"),
    call("wait_for_exit", "$first"),
    call("output", "$first"),
    call("release", "$first"),
    call("output", "$first"),
  ]);
  expect(answers.map(({ error }) => error?.code)).toEqual([...Array(7).fill(undefined), -32002]);
  expect(answers[5]?.result).toMatchObject({
    output: "before\n",
    truncated: false,
    exitStatus: { exitCode: null, signal: expect.stringMatching(/^SIG/) },
  });
});

scenario("S40", async (stage) => {
  const answers = await asked(stage, [
    create("echo out; echo err >&2; exit 3"),
    call("wait_for_exit"),
    call("output"),
    call("release"),
  ]);
  const { output, ...rest } = answers[2]?.result ?? {};
  // Two pipes: either line may come first.
  expect(String(output).split("\n").toSorted()).toEqual(["", "err", "out"]);
  expect(rest).toEqual({ truncated: false, exitStatus: { exitCode: 3, signal: null } });
});

scenario("S41", async (stage) => {
  const answers = await asked(stage, [
    create("exit 7"),
    call("wait_for_exit"),
    create("kill -TERM $$; sleep 600"),
    call("wait_for_exit"),
  ]);
  expect([answers[1]?.result, answers[3]?.result]).toEqual([
    { exitCode: 7, signal: null },
    { exitCode: null, signal: "SIGTERM" },
  ]);
});
