/** Copies of conversations: what is copied while they go on, and what is not. H48. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyConversations } from "../../../actors/conversations/copying.ts";
import { CONVERSATIONS_FOLDER, KeptConversations } from "../../../actors/conversations/kept.ts";
import { NO_MASKING } from "../../../actors/masking/masking.ts";

let root: string;
let kept: KeptConversations;
const place = (state: string): string => join(root, state, CONVERSATIONS_FOLDER);
const parts = { mask: NO_MASKING, now: () => 7, limits: { segmentBytes: 200, segments: 3 } };
const head = (id: string) =>
  ({ version: 1, id, agent: { id: "a1", slug: "mine", name: "Mine" }, cwd: "/w", from: null }) as const;
const prompt = (id: number, text: string) => ({
  id,
  method: "session/prompt",
  params: { sessionId: "s1", prompt: [{ type: "text", text }] },
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "copying-"));
  kept = new KeptConversations(join(root, "state"));
});
afterEach(() => {
  kept.close();
  rmSync(root, { recursive: true, force: true });
});

test("a copy reads as what it is made of does, also while a terminal goes on with it (I1)", () => {
  const recorder = kept.begin(head("c1"), parts);
  for (let n = 0; n < 4; n++) recorder.sent(prompt(n, "x".repeat(100)));
  copyConversations(place("state"), place("copy"));
  const copy = new KeptConversations(join(root, "copy"));
  expect([...copy.entries("c1")]).toEqual([...kept.entries("c1")]);
  expect(copy.find("c1")).toEqual({ ...kept.find("c1"), isOpen: false });
  expect(kept.find("c1")?.isOpen).toBe(true);
  // Nobody continues the copy.
  expect(
    readdirSync(join(place("copy"), "c1")).filter((name) => !/^(index\.json|frames-\d+\.ndjson)$/.test(name)),
  ).toEqual([]);
  recorder.close();
});

test("it is the user's alone, and has nothing that is not a conversation's (I1, I3, I4)", () => {
  kept.begin(head("c1"), parts).close();
  writeFileSync(join(root, "secret"), "not ours");
  const folder = join(place("state"), "c1");
  const [frames = ""] = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
  chmodSync(join(folder, frames), 0o644);
  symlinkSync(join(root, "secret"), join(folder, "frames-000099.ndjson"));
  symlinkSync(root, join(place("state"), "linked"));
  mkdirSync(join(place("state"), "empty"));
  mkdirSync(join(place("state"), "no.id"));
  copyConversations(place("state"), place("copy"));
  expect(readdirSync(place("copy"))).toEqual(["c1"]);
  expect(readdirSync(join(place("copy"), "c1"))).not.toContain("frames-000099.ndjson");
  expect(statSync(join(place("copy"), "c1", frames)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(place("copy"), "c1", frames), "utf8")).toBe(readFileSync(join(folder, frames), "utf8"));
});

test("where nothing is kept, nothing is made", () => {
  copyConversations(place("state"), place("copy"));
  expect(readdirSync(root)).toEqual([]);
});
