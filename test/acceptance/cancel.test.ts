/** A cancel, a closed input and a closed output end everything, also processes that ignore a signal. */
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor, saidIn } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { childrenOf, type House, openHouse } from "../support/house.ts";
import { untilStored } from "../support/until-stored.ts";

/** Milliseconds: one grace of five seconds, not two. The bench says how quick it is on a quiet machine. */
const LIMIT = 10_000;
let house: House;
let editor: Editor;
let session: string;

beforeEach(async () => {
  house = openHouse(["acceptance/stubborn.yaml", "acceptance/hello.yaml"]);
  editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  session = await editor.open(house.cwd);
});
afterEach(async () => {
  await house.leave();
});

/** Prompts, and resolves when child and grandchild run. */
async function holding(): Promise<{ answer: ReturnType<Editor["prompt"]> }> {
  const answer = editor.prompt(session, "/stubborn");
  await Promise.all([editor.hears("first up"), editor.hears("second up")]);
  expect(childrenOf(editor.agent.owner).length).toBeGreaterThanOrEqual(2);
  return { answer };
}

test("a cancel answers in time, leaves nothing, and the session takes the next prompt", async () => {
  const { answer } = await holding();
  const begun = performance.now();
  editor.notify("session/cancel", { sessionId: session });
  expect((await answer).result).toMatchObject({ stopReason: "cancelled" });
  expect(performance.now() - begun).toBeLessThan(LIMIT);
  expect(childrenOf(editor.agent.owner)).toEqual([]);
  expect((await editor.prompt(session, "/hello")).result).toEqual({ stopReason: "end_turn" });
  expect(saidIn(editor.trace)).toContain("Hello was said.");
  expect(await editor.leave()).toEqual({ code: 0, signal: null });
  expect(faultsOf(editor.trace)).toEqual([]);
});

test.each([
  ["the input", () => editor.agent.child.stdin.end()],
  ["the output", () => editor.agent.child.stdout.destroy()],
] as const)(
  "when %s is closed in the middle of a prompt, the agent ends in time and leaves nothing",
  async (_, close) => {
    await holding();
    const begun = performance.now();
    close();
    expect(await editor.agent.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - begun).toBeLessThan(LIMIT);
    expect(childrenOf(editor.agent.owner)).toEqual([]);
  },
);

test("an agent that is terminated leaves nothing", async () => {
  await holding();
  const begun = performance.now();
  editor.agent.child.kill("SIGTERM");
  await editor.agent.ended;
  expect(performance.now() - begun).toBeLessThan(LIMIT);
  expect(childrenOf(editor.agent.owner)).toEqual([]);
});

test("an agent that is asked to end by two signals, of whatever kinds, ends at once", async () => {
  await holding();
  editor.agent.child.kill("SIGINT");
  await toldToEnd(); // the first one was heard
  editor.agent.child.kill("SIGTERM");
  expect(await editor.agent.ended).toEqual({ code: null, signal: "SIGTERM" });
});

const toldToEnd = () =>
  untilStored(house.store, isToldToEnd, { limitMs: LIMIT, late: () => new Error("no cancel is stored") });
/** The store has the cancel. */
function isToldToEnd(): true | null {
  const db = new DatabaseSync(house.store, { readOnly: true });
  const [row] = db.prepare("select snap from actor where key = ?").all(`session/${session}`);
  db.close();
  return (JSON.parse(String(row?.["snap"])) as { context: { cancelled: boolean } }).context.cancelled || null;
}

test("who waits for a cancel in another process that is killed meanwhile ends the run", async () => {
  await holding();
  const cancel = house.troupe(["cancel", "@last", "--format", "json"]);
  await killedOnceToldToEnd();
  expect(await cancel.ended).toEqual({ code: 0, signal: null });
  expect(JSON.parse(cancel.lines.join("\n"))).toMatchObject({ status: "cancelled" });
});

async function killedWhileItCancels(): Promise<void> {
  await holding();
  editor.notify("session/cancel", { sessionId: session });
  await killedOnceToldToEnd();
}
async function killedOnceToldToEnd(): Promise<void> {
  await toldToEnd();
  editor.agent.child.kill("SIGKILL");
  await editor.agent.ended;
}

test("a cancel that a kill cut off is finished when the session is loaded, and nothing is to be resumed", async () => {
  await killedWhileItCancels();
  const next = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await next.initialize();
  await next.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  await next.hears("was cancelled");
  expect(saidIn(next.trace)).not.toContain("to resume it");
  expect((await next.prompt(session, "/hello")).result).toEqual({ stopReason: "end_turn" });
  expect(childrenOf(editor.agent.owner)).toEqual([]);
});

test("a run whose cancel a kill cut off is in no list of what can be resumed, and is cancelled when it is to be", async () => {
  await killedWhileItCancels();
  const runs = async (...more: string[]): Promise<unknown> => {
    const listed = house.troupe(["history", "--format", "json", ...more]);
    await listed.ended;
    return JSON.parse(listed.lines.join("\n"));
  };
  const cutOff = [{ status: "interrupted", resumable: false }];
  expect([await runs("--resumable"), await runs()]).toMatchObject([[], cutOff]);
  const resumed = house.troupe(["resume", "@last"], { TROUPE_TRUST: "1" });
  await resumed.ended;
  expect(resumed.stderr).toContain("has been cancelled: only an interrupted or a parked run can be resumed");
  expect(await runs()).toMatchObject([{ status: "cancelled", resumable: false }]);
});
