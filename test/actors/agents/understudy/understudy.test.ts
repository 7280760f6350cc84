import { execFileSync } from "node:child_process";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentRequest } from "../../../../actors/agents/agent.ts";
import { CUT } from "../../../../actors/agents/understudy/play.ts";
import { understudy } from "../../../../actors/agents/understudy/understudy.ts";
import { awaitedAbort, folder, listener, passingClock, request } from "./support.ts";

async function run(over: Partial<AgentRequest>) {
  const { heard, emit } = listener();
  const clock = passingClock();
  const result = await understudy(clock)(request(over), emit, new AbortController().signal);
  return { heard, result, slept: clock.slept };
}

const first = { type: "conversation", id: "understudy-1" };
const completed = (text: string) => ({ status: "completed", text, usage: null });
const refused = (message: string) => ({ status: "failed", class: "refused", message, text: "", usage: null });

const asScript = { prompt_as_script: true };
describe("I1: the prompt as the script", () => {
  test.each(["Hello", "", "a stream:3 b", "slow", "stream:3", "{{attempt}}", " two  spaces "])(
    "%j is spoken back",
    async (prompt) => {
      const { heard, result } = await run({ prompt });
      expect(heard).toEqual(prompt === "" ? [first] : [first, { type: "text", text: prompt }]);
      expect(result).toEqual(completed(prompt));
    },
  );

  test("stream:N", async () => {
    const { heard, result, slept } = await run({ prompt: "stream:3", options: asScript });
    expect(heard).toEqual([
      first,
      { type: "text", text: "tok0 " },
      { type: "text", text: "tok1 " },
      { type: "text", text: "tok2 " },
    ]);
    expect(result).toEqual(completed("tok0 tok1 tok2 "));
    expect(slept).toEqual([]);
  });

  test("stream:N@R", async () => {
    const { heard, slept } = await run({ prompt: "stream:3@0.5\n", options: asScript });
    expect(heard).toEqual([
      first,
      { type: "text", text: "tok0 " },
      { type: "text", text: "tok1 " },
      { type: "text", text: "tok2 " },
    ]);
    expect(slept).toEqual([2000, 2000]);
  });

  test("slow", async () => {
    const { signal, awaited, abort } = awaitedAbort();
    const { heard, emit } = listener();
    const done = understudy(passingClock())(request({ prompt: "slow", options: asScript }), emit, signal);
    await awaited;
    abort();
    expect(await done).toEqual({ status: "failed", ...CUT, text: "started", usage: null });
    expect(heard).toEqual([first, { type: "text", text: "started" }]);
  });

  test("a stream beyond the limit is refused", async () => {
    const { heard, result } = await run({ prompt: "stream:1000001@0", options: asScript });
    expect(heard).toEqual([]);
    expect(result).toEqual(
      refused(
        "The prompt cannot be played: script[0].say.count: expected a whole number from 0 to 1000000, got 1000001; " +
          "script[0].say.rate: expected a number above 0, to 1000000, got 0",
      ),
    );
  });
});

describe("I1: options.script", () => {
  test("a list", async () => {
    const { heard } = await run({ options: { script: [{ say: "You said {{prompt}}" }], model: "any" } });
    expect(heard).toEqual([first, { type: "text", text: "You said Hello" }]);
  });

  test("a file, turn after turn", async () => {
    const cwd = await folder();
    await writeFile(join(cwd, "talk.yaml"), "turns:\n- play: [say: one]\n- play: [say: two]\nconversation: talk\n");
    const options = { script: "talk.yaml" };
    expect((await run({ cwd, options })).heard).toEqual([
      { type: "conversation", id: "talk-1" },
      { type: "text", text: "one" },
    ]);
    expect((await run({ cwd, options, conversation: "talk-1" })).heard).toEqual([
      { type: "conversation", id: "talk-2" },
      { type: "text", text: "two" },
    ]);
    const over = await run({ cwd, options, conversation: "talk-2" });
    expect(over.heard).toEqual([]);
    expect(over.result).toEqual(
      refused("The understudy has nothing to play in turn 3: the script has 2. Add an entry to `turns`."),
    );
  });

  test("I2: a script that is not there or not right is refused, and nothing is emitted", async () => {
    const cwd = await folder();
    await writeFile(join(cwd, "bad.yaml"), "- say: Hi\n- sing: La\n");
    const bad = await run({ cwd, options: { script: "bad.yaml" } });
    expect(bad.heard).toEqual([]);
    expect(bad.result).toEqual(
      refused(
        "The script bad.yaml cannot be played: line 2, column 9: script[1].sing: " +
          'expected one of the actions say, think, tool, call, output, usage, notice, wait, fail, write, ask, exit, got "La"',
      ),
    );
    const missing = await run({ cwd, options: { script: "none.yaml" } });
    expect(missing.heard).toEqual([]);
    expect(missing.result).toMatchObject({
      class: "refused",
      message: expect.stringMatching(/^options\.script: cannot read "none\.yaml" from the step's folder: ENOENT/),
    });
    const number = await run({ options: { script: 3 } });
    expect(number.heard).toEqual([]);
    expect(number.result).toEqual(
      refused(
        "options.script cannot be played: script: expected a list of actions, or an object with the fields turns, conversation, got 3",
      ),
    );
  });
});

test("a script is a plain file of a size that can be read; nothing else is waited for", async () => {
  const cwd = await folder();
  execFileSync("mkfifo", [join(cwd, "pipe.yaml")]);
  await writeFile(join(cwd, "long.yaml"), "");
  await truncate(join(cwd, "long.yaml"), 64 * 1024 ** 2 + 1);
  const why = async (script: string) => (await run({ cwd, options: { script } })).result;
  const begin = (script: string) => `options.script: cannot read "${script}" from the step's folder: `;
  for (const script of ["pipe.yaml", "/dev/zero", "."])
    expect(await why(script)).toEqual(refused(`${begin(script)}it is no plain file`));
  expect(await why("long.yaml")).toEqual(refused(`${begin("long.yaml")}it has more than 64 MiB`));
});

describe("I3: abort", () => {
  test("before the first event nothing is emitted", async () => {
    const { heard, emit } = listener();
    expect(await understudy(passingClock())(request(), emit, AbortSignal.abort())).toEqual({
      status: "failed",
      ...CUT,
      text: "",
      usage: null,
    });
    const abort = new AbortController();
    const done = understudy(passingClock())(request({ options: { script: "any.yaml" } }), emit, abort.signal);
    abort.abort();
    expect(await done).toEqual({ status: "failed", ...CUT, text: "", usage: null });
    expect(heard).toEqual([]);
  });

  test("in the first event, no other follows", async () => {
    const abort = new AbortController();
    const { heard, emit } = listener();
    const stop: typeof emit = (event) => {
      emit(event);
      abort.abort();
    };
    expect(await understudy(passingClock())(request(), stop, abort.signal)).toEqual({
      status: "failed",
      ...CUT,
      text: "",
      usage: null,
    });
    expect(heard).toEqual([first]);
  });
});
