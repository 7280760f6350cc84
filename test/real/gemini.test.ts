/** The provider `gemini` against the real program and the scripted model server. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { toolsOf } from "../support/model-server/model-server.ts";
import { agentCases } from "./cases.ts";
import { type Over, Place, type Played } from "./place.ts";
import { conversationOf } from "./story.ts";
import { GEMINI } from "./subjects/gemini.ts";

agentCases(GEMINI);

let place: Place;
beforeAll(async () => {
  place = await Place.open(GEMINI);
});
afterAll(() => place.close());
beforeEach(() => place.server.reset());
const play = (over: Over): Promise<Played> => place.play(GEMINI.agent(), { options: GEMINI.open, ...over });

it("continues a conversation that began in a home of its own, and works without its own tools", async () => {
  const first = await play({ prompt: "token=ALPHA", systemPrompt: "Be kind.", ownTools: "replaced" });
  expect(first.result.status).toBe("completed");
  const second = await play({ prompt: "token=BETA", conversation: conversationOf(first.heard), continues: true });
  expect(second.result.text).toContain("First prompt was: token=ALPHA");
  const [without, having] = (await place.server.requests()).map(toolsOf);
  expect(having).toContain("run_shell_command");
  expect(without ?? []).not.toContain("run_shell_command");
});

it("reports the lines that an edit changed", async () => {
  const file = join(place.cwd, "e.txt");
  writeFileSync(file, "alpha\nbeta\n");
  const args = { file_path: file, instruction: "x", old_string: "beta", new_string: "gamma" };
  const { heard } = await play({ prompt: `[[call:replace ${JSON.stringify(args)}]] Edit` });
  expect(readFileSync(file, "utf8")).toBe("alpha\ngamma\n");
  const blocks = heard.flatMap((event) => (event.type === "tool" ? (event.tool.content ?? []) : []));
  expect(blocks).toEqual([{ type: "diff", path: file, oldText: "beta", newText: "gamma" }]);
});
