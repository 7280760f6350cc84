/**
 * The ten endings of `troupe acp`: five ways, idle and in the middle of a prompt whose step has children. The exit is
 * the documented one and in time, and a second later no process is left that the agent had started, however it ended.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { encodeIdentity, identityOf } from "../../actors/process/identity.ts";
import { scanProcesses } from "../../actors/process/table.ts";
import { Editor } from "../support/acp-editor.ts";
import { childrenOf, type House, openHouse } from "../support/house.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Milliseconds from the cause to the exit: nothing to end, children that end when told to. */
const IDLE_MS = 1_500;
const BUSY_MS = 3_000;
const LEFT_MS = 1_000;

type Exit = { code: number | null; signal: string | null };
const WAYS: readonly [way: string, act: (editor: Editor) => void, exit: Exit][] = [
  ["the end of standard input", ({ agent }) => agent.child.stdin.end(), { code: 0, signal: null }],
  ["SIGTERM", ({ agent }) => agent.child.kill("SIGTERM"), { code: 0, signal: null }],
  ["SIGINT", ({ agent }) => agent.child.kill("SIGINT"), { code: 0, signal: null }],
  ["SIGKILL", ({ agent }) => agent.child.kill("SIGKILL"), { code: null, signal: "SIGKILL" }],
  [
    "a closed standard output",
    ({ agent }) => {
      agent.child.stdout.destroy();
      // A closed output is noticed only by writing to it.
      agent.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: "x", method: "no/such" })}\n`);
    },
    { code: 0, signal: null },
  ],
];

let house: House;
let editor: Editor;
let session: string;
beforeEach(async () => {
  house = openHouse(["security/asleep.yaml"]);
  editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  session = await editor.open(house.cwd);
});
afterEach(() => house.leave());

/** The agent's processes: those with its marker, and its own children that carry none. */
const left = (): number[] => [...new Set([...childrenOf(editor.agent.owner), ...guards()])];
const guards = (): number[] =>
  scanProcesses(null)
    .filter((row) => row.ppid === editor.agent.child.pid || known.has(encodeIdentity(row)))
    .map(({ pid }) => pid);
let known = new Set<string>();
/** Children without a marker lose their parent with the agent: they are known by what they were before. */
function note(): void {
  const children = scanProcesses(null).filter((row) => row.ppid === editor.agent.child.pid);
  known = new Set(
    children.map(({ pid }) => identityOf(pid)).flatMap((one) => (one === null ? [] : [encodeIdentity(one)])),
  );
}

async function ends(act: (editor: Editor) => void, exit: Exit, limit: number): Promise<void> {
  note();
  const begun = performance.now();
  act(editor);
  expect(await editor.agent.ended).toEqual(exit);
  const ended = performance.now();
  expect(ended - begun).toBeLessThan(limit);
  while (left().length > 0 && performance.now() - ended < LEFT_MS)
    await new Promise((resolve) => setImmediate(resolve));
  expect(left()).toEqual([]);
}

describe("idle", () => {
  test.each(WAYS)("%s", (_, act, exit) => ends(act, exit, IDLE_MS));
});

describe("in the middle of a prompt, with a child that sleeps and a grandchild in a session of its own", () => {
  beforeEach(async () => {
    editor.prompt(session, "/asleep").catch(() => undefined);
    await Promise.all([editor.hears("grandchild"), editor.hears("child\\n")]);
    expect(childrenOf(editor.agent.owner).length).toBeGreaterThanOrEqual(3);
  });
  test.each(WAYS)("%s", (_, act, exit) => ends(act, exit, BUSY_MS));
});
