/** Covers I2 of `commands.ts`: what does nothing says so. */
import { expect, test } from "vitest";
import type { Conversation } from "../../../actors/troupe.ts";
import { COMMANDS } from "../../../transports/chat/commands.ts";

type Kept = { waiting?: string[]; edits?: string[] };

/** What is said, and what is done to the conversation. */
async function asked(line: string, { waiting = [], edits = [] }: Kept): Promise<string[]> {
  const heard: string[] = [];
  const conversation = {
    state: { waiting: waiting.map((id) => ({ id })) },
    edits: edits.map((path) => ({ path })),
    drop: (id: string) => void heard.push(`drops ${id}`),
    accept: (path: string) => void heard.push(`accepts ${path}`),
    reject: async (path: string) => void heard.push(`rejects ${path}`),
  } as unknown as Conversation;
  const [name, words = ""] = line.split(" ");
  const unused = { colours: false, thoughts: () => undefined, leave: () => undefined };
  const say = (lines: readonly string[]): void => void heard.push(...lines);
  await COMMANDS.find((one) => one.name === name)?.act(words, { ...unused, conversation, say });
  return heard;
}

test.each<[string, Kept, string[]]>([
  ["drop", { waiting: ["a", "b"] }, ["drops a", "drops b"]],
  ["drop all", { waiting: ["a", "b"] }, ["drops a", "drops b"]],
  ["drop 2", { waiting: ["a", "b"] }, ["drops b"]],
  ["drop 3", { waiting: ["a", "b"] }, ['no prompt waits by the number "3": there are 2']],
  ["drop 0", { waiting: ["a", "b"] }, ['no prompt waits by the number "0": there are 2']],
  ["drop it", { waiting: ["a"] }, ['no prompt waits by the number "it": there are 1']],
  ["drop", {}, ["no prompt waits"]],
  ["accept", {}, ["nothing is to be decided"]],
  ["reject x.ts", {}, ["nothing is to be decided"]],
  ["accept x.ts", { edits: ["/w/x.ts", "/w/y.ts"] }, ["accepts /w/x.ts"]],
  ["reject z.ts", { edits: ["/w/x.ts"] }, ['no edit of "z.ts" is open']],
])(":%s with %j", async (line, kept, heard) => {
  expect(await asked(line, kept)).toEqual(heard);
});
