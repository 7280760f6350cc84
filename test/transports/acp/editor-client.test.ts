/** The editor's terminal, from Bash through the SDK's two ends to real processes. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentContext, agent, client, methods } from "@agentclientprotocol/sdk";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { Roots } from "../../../actors/acp-client/files/roots.ts";
import { Terminals } from "../../../actors/acp-client/terminals/terminals.ts";
import { granted } from "../../../actors/base/editor-client.ts";
import { Bash } from "../../../actors/tools/bash.ts";
import { ToolFault } from "../../../actors/tools/tool.ts";
import type { Block } from "../../../machines/exchange.ts";
import { editorClient } from "../../../transports/acp/editor-client.ts";

const { terminal } = methods.client;
let work: string;
let terminals: Terminals;
let editor: AgentContext;
let calls: string[];
let close: () => void;
/** What the editor waits for before it names a terminal. */
let held: Promise<void>;
beforeEach(async () => {
  work = realpathSync(mkdtempSync(join(tmpdir(), "troupe-hands-")));
  terminals = new Terminals(await Roots.of(work), { mayRun: async () => true });
  calls = [];
  held = Promise.resolve();
  const heard = <T>(name: string, value: T): T => {
    calls.push(name);
    return value;
  };
  const app = client({ name: "editor" })
    .onRequest(terminal.create, async ({ params }) => {
      const terminalId = await terminals.create(params, new AbortController().signal);
      await held;
      return heard("create", { terminalId });
    })
    .onRequest(terminal.waitForExit, ({ params }) => heard("wait", terminals.waitForExit(params.terminalId)))
    .onRequest(terminal.output, ({ params }) => heard("output", terminals.output(params.terminalId)))
    .onRequest(terminal.kill, async ({ params }) => {
      await terminals.kill(params.terminalId);
      return heard("kill", {});
    })
    .onRequest(terminal.release, async ({ params }) => {
      await terminals.release(params.terminalId);
      return heard("release", {});
    });
  const connected = app.connect(
    agent({ name: "troupe" }).onConnect(({ client: one }) => {
      editor = one;
    }),
  );
  close = () => connected.close();
});
afterEach(async () => {
  close();
  await terminals.close();
  rmSync(work, { recursive: true, force: true });
});

async function bash(command: string, { signal = new AbortController().signal, show = (_: Block) => {} } = {}) {
  const capabilities = { terminal: true };
  const hands = editorClient({ capabilities, sessionId: "s", client: () => editor, mark: "me" });
  const editorTerminal = granted(hands, { write: false, terminal: true })?.terminal;
  if (editorTerminal === undefined) throw new Error("the editor offers no terminal");
  const bench = {
    roots: await Roots.of(work),
    cwd: work,
    env: {},
    marker: () => ({}),
    ask: async () => ({ allowed: true as const }),
    editorTerminal,
  };
  const run = Bash.run as (input: object, call: object) => Promise<{ text: string }>;
  return await run({ command }, { bench, signal, say: () => undefined, show });
}

test("a command runs in the editor's terminal, is shown by its id, and is released (I1)", async () => {
  const shown: Block[] = [];
  const { text } = await bash("pwd; echo out", { show: (block) => shown.push(block) });
  expect(text).toBe(`${work}\nout\n`);
  expect(shown).toEqual([{ type: "terminal", terminal: expect.any(String), of: "me" }]);
  expect([calls, terminals.size]).toEqual([["create", "wait", "output", "release"], 0]);
});

test("a failure tells its code and output", async () => {
  await expect(bash("echo bad; exit 3")).rejects.toThrow(new ToolFault("bad\n(exit code 3)"));
  expect(terminals.size).toBe(0);
});

test("a cancel kills the command, and its terminal is released (I1)", async () => {
  const cancel = new AbortController();
  const running = bash("echo begun; exec sleep 60", { signal: cancel.signal, show: () => cancel.abort() });
  await expect(running).rejects.toThrow("it was cancelled");
  expect(calls).toContain("kill");
  expect([calls.at(-1), terminals.size]).toEqual(["release", 0]);
});

test("a terminal that the editor names too late is released all the same (I1)", async () => {
  const late = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(late.signal);
  onTestFinished(() => timeout.mockRestore());
  const named = Promise.withResolvers<void>();
  held = named.promise;
  const running = bash("exec sleep 60");
  await expect.poll(() => terminals.size).toBe(1);
  late.abort(new Error("it took too long"));
  await expect(running).rejects.toThrow("it took too long");
  named.resolve();
  await expect.poll(() => calls).toEqual(["create", "release"]);
  expect(terminals.size).toBe(0);
});

test("what is not advertised or not turned on is not there", () => {
  const hands = (capabilities: object) =>
    editorClient({ capabilities: capabilities as never, sessionId: "s", client: () => editor, mark: "me" });
  expect(Object.keys(hands({}))).toEqual([]);
  expect(Object.keys(hands({ terminal: true, fs: { writeTextFile: true } }))).toEqual(["write", "terminal"]);
  const on = { write: true, terminal: false };
  expect(Object.keys(granted(hands({ terminal: true, fs: { writeTextFile: true } }), on) ?? {})).toEqual(["write"]);
});
