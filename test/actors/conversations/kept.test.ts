/** Conversations as they are kept: the truth, and what is made from it. H3, H48, H49. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { INDEX_FILE } from "../../../actors/conversations/index-file.ts";
import { HEAD, kept, parts, prompt, says, state, talked, talkedAndLeft } from "./talked.ts";

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

test("a name that leads elsewhere is no conversation", () => {
  execFileSync("mkdir", ["-p", join(state, "conversations")]);
  expect(kept.find("../conversations")).toBeNull();
  expect(() => kept.remove("..")).toThrow("there is no conversation");
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
