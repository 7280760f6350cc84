/** Conversations as they are kept: the truth, what is made from it, and who may continue one. H3, H48, H49. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { INDEX_FILE } from "../../../actors/conversations/index-file.ts";
import { KeptConversations } from "../../../actors/conversations/kept.ts";
import type { Recorder } from "../../../actors/conversations/recorder.ts";
import { NO_MASKING } from "../../../actors/masking/masking.ts";
import type { ConversationHead, WireFrame } from "../../../machines/conversation/entry.ts";

const HEAD: ConversationHead = {
  version: 1,
  id: "c1",
  agent: { id: "a1", slug: "mine", name: "Mine" },
  cwd: "/w",
  from: null,
};
let state: string;
let kept: KeptConversations;
let time: number;
const now = (): number => ++time;
const parts = (segmentBytes = 1e6, segments = 5) => ({ mask: NO_MASKING, now, limits: { segmentBytes, segments } });
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "kept-"));
  kept = new KeptConversations(state);
  time = 0;
});
afterEach(() => {
  kept.close();
  rmSync(state, { recursive: true, force: true });
});

const prompt = (id: number, text: string): WireFrame => ({
  id,
  method: "session/prompt",
  params: { sessionId: "s1", prompt: [{ type: "text", text }] },
});
const says = (text: string): WireFrame => ({
  method: "session/update",
  params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
});
function talked(recorder: Recorder): void {
  recorder.sent({ id: 0, method: "session/new", params: { cwd: "/w", mcpServers: [] } });
  recorder.got({
    id: 0,
    result: { sessionId: "s1", modes: { currentModeId: "ask" }, _meta: { native: "n-1" } },
  });
  recorder.note({ type: "opened", session: "s1", by: "new" });
  recorder.sent(prompt(1, "\n  Mend it\nplease"));
  recorder.got(says("done"));
  recorder.got({ id: 1, result: { stopReason: "end_turn" } });
}
const folder = (): string => join(state, "conversations", "c1");

test("our id, the session's and the agent's own are three, and a session or an agent's id never names a conversation (H49)", () => {
  const recorder = kept.begin(HEAD, parts());
  talked(recorder);
  recorder.close();
  expect(kept.find("c1")).toMatchObject({
    head: { id: "c1", agent: { id: "a1" } },
    session: "s1",
    native: { native: "n-1" },
  });
  for (const other of ["s1", "n-1", "a1"]) expect(kept.find(other)).toBeNull();
  expect(readdirSync(join(state, "conversations"))).toEqual(["c1"]);
});

test("what was said is there in its order, and the index says what it was about", () => {
  const recorder = kept.begin(HEAD, parts());
  talked(recorder);
  recorder.sent(prompt(2, "and this"));
  expect(kept.find("c1")).toMatchObject({
    head: HEAD,
    session: "s1",
    native: { native: "n-1" },
    title: "Mend it",
    prompts: 2,
    turn: "open",
    mode: "ask",
    isOpen: true,
  });
  recorder.close();
  kept.leave("c1");
  expect(kept.list().map(({ head, isOpen }) => [head.id, isOpen])).toEqual([["c1", false]]);
  const entries = [...kept.entries("c1")];
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  expect(entries.map((entry) => Object.keys(entry)[2])).toEqual([
    "head",
    "sent",
    "got",
    "note",
    "sent",
    "got",
    "got",
    "sent",
  ]);
});

test("without its index it is the same, also with a broken or an old one", () => {
  const recorder = kept.begin(HEAD, parts());
  const early = readFileSync(join(folder(), INDEX_FILE), "utf8");
  talked(recorder);
  recorder.close();
  const whole = kept.find("c1");
  for (const written of [null, "", "{", '{"index":{},"place":{}}', early]) {
    rmSync(join(folder(), INDEX_FILE));
    if (written !== null) writeFileSync(join(folder(), INDEX_FILE), written);
    expect(kept.find("c1")).toEqual(whole);
    if (written === null) writeFileSync(join(folder(), INDEX_FILE), "");
  }
});

test("only the user can read it", () => {
  const recorder = kept.begin(HEAD, parts(300));
  talked(recorder);
  recorder.close();
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
  const files = readdirSync(folder()).filter((name) => name !== "lock");
  expect(files.length).toBeGreaterThan(3);
  for (const name of files) expect([name, statSync(join(folder(), name)).mode & 0o777]).toEqual([name, 0o600]);
});

test("segments have a limit, the oldest go, and each says whose it is", () => {
  const recorder = kept.begin(HEAD, parts(600, 3));
  talked(recorder);
  for (let i = 0; i < 40; i++) recorder.got(says(`line ${i} ${"x".repeat(50)}`));
  recorder.close();
  const names = readdirSync(folder()).filter((name) => name.startsWith("frames-"));
  expect(names).toHaveLength(3);
  for (const name of names) {
    expect(statSync(join(folder(), name)).size).toBeLessThanOrEqual(600);
    expect(readFileSync(join(folder(), name), "utf8").split("\n")[0]).toContain('"head"');
  }
  const before = kept.find("c1");
  rmSync(join(folder(), INDEX_FILE));
  // What went with the oldest is not known any more; whose it is and how far it goes is.
  expect(kept.find("c1")).toMatchObject({ head: HEAD, seq: before?.seq, title: "" });
});

test("a line that a kill has cut is taken back, and it continues behind the last whole one", () => {
  talkedAndLeft();
  const [file = ""] = readdirSync(folder()).filter((name) => name.startsWith("frames-"));
  appendFileSync(join(folder(), file), '{"seq":9,"at":1,"got":{"meth');
  const seq = kept.find("c1")?.seq ?? 0;
  const recorder = kept.goOn("c1", parts());
  recorder.note({ type: "opened", session: "s1", by: "resume" });
  recorder.close();
  const entries = [...kept.entries("c1")];
  expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, index) => index + 1));
  expect(entries.at(-1)).toMatchObject({ seq: seq + 1, note: { type: "opened" } });
});

test("what session/load repeats is not kept twice", () => {
  talkedAndLeft();
  const recorder = kept.goOn("c1", parts());
  recorder.tellsAgain = true;
  recorder.got(says("done"));
  recorder.got({ id: 3, result: {} });
  recorder.tellsAgain = false;
  recorder.got(says("more"));
  recorder.close();
  expect([...kept.entries("c1")].filter((entry) => JSON.stringify(entry).includes('"done"'))).toHaveLength(1);
});

test("one process at a time continues it, and a killed one leaves it free", () => {
  talkedAndLeft();
  const other = `
    const { KeptConversations } = await import(${JSON.stringify(new URL("../../../actors/conversations/kept.ts", import.meta.url))});
    const { NO_MASKING } = await import(${JSON.stringify(new URL("../../../actors/masking/masking.ts", import.meta.url))});
    const kept = new KeptConversations(${JSON.stringify(state)});
    const recorder = kept.goOn("c1", { mask: NO_MASKING, now: Date.now });
    recorder.sent({ id: 9, method: "session/prompt", params: { sessionId: "s1", prompt: [] } });
    if (process.argv.at(-1) === "die") process.kill(process.pid, "SIGKILL");
    recorder.close(); kept.leave("c1"); kept.close();`;
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", other, "--", ...args], {
      encoding: "utf8",
    });
  const mine = kept.goOn("c1", parts());
  expect(run().stderr).toContain("USER.CONVERSATION.OPEN_ELSEWHERE");
  mine.close();
  kept.leave("c1");
  expect(run("die").signal).toBe("SIGKILL");
  expect(kept.find("c1")).toMatchObject({ turn: "open", isOpen: false, prompts: 2 });
  const again = kept.goOn("c1", parts());
  again.close();
  kept.leave("c1");
  expect(run()).toMatchObject({ status: 0, stderr: "" });
  kept.remove("c1");
  expect(kept.list()).toEqual([]);
});

test("a name that leads elsewhere is no conversation", () => {
  execFileSync("mkdir", ["-p", join(state, "conversations")]);
  expect(kept.find("../conversations")).toBeNull();
  expect(() => kept.remove("..")).toThrow("there is no conversation");
});

function talkedAndLeft(): void {
  const recorder = kept.begin(HEAD, parts());
  talked(recorder);
  recorder.close();
  kept.leave("c1");
}

test("one that begins when another was left, or beside one that is left, is this process's too (I2)", () => {
  const others = new KeptConversations(state);
  const isOpen = (id: string): boolean | undefined => others.find(id)?.isOpen;
  const begin = (id: string): void => void talked(kept.begin({ ...HEAD, id }, parts()));
  begin("c1");
  kept.leave("c1");
  kept.close(); // none is open: it changes nothing
  begin("c2");
  begin("c3");
  expect([isOpen("c1"), isOpen("c2"), isOpen("c3")]).toEqual([false, true, true]);
  kept.leave("c2");
  expect([isOpen("c2"), isOpen("c3")]).toEqual([false, true]);
  expect(() => others.goOn("c3", parts())).toThrow("is open in another terminal");
  kept.leave("c3");
  expect(isOpen("c3")).toBe(false);
});

test("after one was removed the next one is this process's too (I2)", () => {
  const others = new KeptConversations(state);
  kept.begin(HEAD, parts());
  kept.remove("c1");
  kept.begin({ ...HEAD, id: "c2" }, parts());
  expect(others.find("c2")?.isOpen).toBe(true);
});

test("a segment that cannot be opened closes no file of others, and the next frame tries again", () => {
  const recorder = kept.begin(HEAD, parts(600));
  const next = join(state, "conversations", "c1", "frames-000002.ndjson");
  symlinkSync(join(state, "nowhere"), next);
  const fill = (): void => {
    for (let id = 0; id < 10; id++) recorder.sent(prompt(id, "x".repeat(100)));
  };
  expect(fill).toThrow("ELOOP");
  const other = openSync(join(state, "other"), "w");
  expect(fill).toThrow("ELOOP");
  writeSync(other, "mine");
  closeSync(other);
  rmSync(next);
  fill();
  recorder.close();
  expect(readFileSync(join(state, "other"), "utf8")).toBe("mine");
  expect(readdirSync(join(state, "conversations", "c1"))).toContain("frames-000002.ndjson");
});
