import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Roots } from "../../../../actors/acp-client/files/roots.ts";
import { type TerminalPolicy, Terminals } from "../../../../actors/acp-client/terminals/terminals.ts";
import { identityOf, isAlive } from "../../../../actors/process/identity.ts";

const never = new AbortController().signal;
const yes: TerminalPolicy = { mayRun: async () => true, environment: { PATH: process.env["PATH"], API_TOKEN: "x" } };
let work: string;
let terminals: Terminals;

beforeEach(async () => {
  work = realpathSync(mkdtempSync(join(tmpdir(), "troupe-terminals-")));
  terminals = new Terminals(await Roots.of(work), yes);
});
afterEach(async () => {
  await terminals.close();
  rmSync(work, { recursive: true, force: true });
});
const create = (command: string, args: string[] = [], more: object = {}) =>
  terminals.create({ sessionId: "s", command, args, ...more }, never);
const sh = (script: string, more: object = {}) => create("sh", ["-c", script], more);

test("H4, H34: the arguments arrive as they were given, and no shell reads them", async () => {
  const words = ["a b", "$HOME", ";id", "", '--x="q"', "*"];
  const program = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
  const id = await create(process.execPath, ["-e", program, "--", ...words]);
  expect(await terminals.waitForExit(id)).toEqual({ exitCode: 0, signal: null });
  expect(JSON.parse(terminals.output(id).output)).toEqual(words);
});
test("H34, H12: it runs in the workspace, with a small environment and what was given", async () => {
  mkdirSync(join(work, "sub"));
  const id = await sh("pwd; echo $GIVEN $API_TOKEN", {
    cwd: join(work, "sub"),
    env: [{ name: "GIVEN", value: "v" }],
  });
  await terminals.waitForExit(id);
  expect(terminals.output(id).output).toBe(`${join(work, "sub")}\nv\n`);
});
test.each<[string, object]>([
  ["a folder outside", { cwd: tmpdir() }],
  ["a relative folder", { cwd: "sub" }],
  ["a folder that is not there", { cwd: "/no/such/folder" }],
  ["a variable without a name", { env: [{ name: "", value: "v" }] }],
  ["a variable with =", { env: [{ name: "A=B", value: "v" }] }],
  ["a NUL", { args: ["\0"] }],
])("H34: %s is refused, and nothing is started", async (_, more) => {
  await expect(create("true", [], more)).rejects.toMatchObject({ code: -32602 });
  expect(terminals.size).toBe(0);
});
test("H34: what is not allowed is not started, and the question shows the whole command", async () => {
  const asked: unknown[] = [];
  const no: TerminalPolicy = { ...yes, mayRun: async (request) => asked.push(request) < 0 };
  terminals = new Terminals(await Roots.of(work), no);
  await expect(create("rm", ["-rf", "x"], { env: [{ name: "KEY", value: "v" }] })).rejects.toMatchObject({
    code: -32603,
  });
  expect(asked).toEqual([{ command: "rm", args: ["-rf", "x"], cwd: work, env: ["KEY"] }]);
  expect(terminals.size).toBe(0);
});
test("H34: a yes after the turn's end starts nothing", async () => {
  const turn = new AbortController();
  const late: TerminalPolicy = {
    ...yes,
    mayRun: async () => {
      turn.abort();
      return true;
    },
  };
  terminals = new Terminals(await Roots.of(work), late);
  await expect(terminals.create({ sessionId: "s", command: "true" }, turn.signal)).rejects.toMatchObject({
    code: -32603,
  });
  expect(terminals.size).toBe(0);
});
test("H34: the last bytes of the output are kept, whole characters of them", async () => {
  const id = await sh("printf 'abc'; printf 'é%.0s' 1 2 3 4 5", { outputByteLimit: 5 });
  await terminals.waitForExit(id);
  expect(terminals.output(id)).toEqual({
    output: "éé",
    truncated: true,
    exitStatus: { exitCode: 0, signal: null },
  });
});
test("H34: there is a limit on how many are held, and a release makes room", async () => {
  terminals = new Terminals(await Roots.of(work), { ...yes, max: 2 });
  const both = await Promise.all([sh("exec sleep 600"), sh("exec sleep 600")]);
  await expect(sh("true")).rejects.toMatchObject({ code: -32603, data: { limit: 2 } });
  await terminals.release(both[0]);
  await terminals.release(await sh("true"));
});
test("H35: kill keeps the output until release; release makes the id unknown", async () => {
  const id = await sh("echo before; exec sleep 600");
  const ended = terminals.waitForExit(id);
  expect(terminals.output(id).exitStatus).toBeUndefined();
  await terminals.kill(id);
  expect(await ended).toEqual({ exitCode: null, signal: "SIGTERM" });
  expect(terminals.output(id)).toMatchObject({ truncated: false, exitStatus: { exitCode: null, signal: "SIGTERM" } });
  await terminals.kill(id);
  await terminals.release(id);
  for (const call of [() => terminals.output(id), () => terminals.waitForExit(id)])
    expect(call).toThrow(expect.objectContaining({ code: -32002 }));
  await expect(terminals.release(id)).rejects.toMatchObject({ code: -32002 });
});
test("H35: a program that is not there ends as in a shell, and its terminal says why", async () => {
  const id = await create("no-such-program");
  expect(await terminals.waitForExit(id)).toEqual({ exitCode: 127, signal: null });
  expect(terminals.output(id).output).toContain("no such program");
});
test("H35, H15: after close nothing runs of what they started, not even what left its group", async () => {
  const id = await sh("setsid sh -c 'trap \"\" TERM; echo pid=$$; exec sleep 600' & wait");
  const pid = await new Promise<number>((resolve) => {
    const look = (): void => {
      const found = /pid=(\d+)/.exec(terminals.output(id).output)?.[1];
      if (found === undefined) setImmediate(look);
      else resolve(Number(found));
    };
    look();
  });
  const daemon = identityOf(pid);
  expect(daemon).not.toBeNull();
  await terminals.close();
  expect([terminals.size, isAlive(daemon!)]).toEqual([0, false]);
});
