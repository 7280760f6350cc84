/** The provider `codex` against the real program and the scripted model server. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { toolsOf } from "../support/model-server/model-server.ts";
import { agentCases } from "./cases.ts";
import { Place } from "./place.ts";
import { CODEX } from "./subjects/codex.ts";

agentCases(CODEX);

let place: Place;
beforeAll(async () => {
  place = await Place.open(CODEX);
});
afterAll(() => place.close());

const PATCH = `*** Begin Patch
*** Update File: a.txt
@@
 alpha
-beta
+gamma
*** Add File: n.txt
+new
*** End Patch
`;

it("writes nothing with its own tools where Troupe's replace them, whatever the step allows", async () => {
  writeFileSync(join(place.cwd, "a.txt"), "alpha\nbeta\n");
  for (const allowed of [{ sandbox: "workspace-write" }, CODEX.open, { dangerously_skip_permissions: true }]) {
    await place.server.reply(
      { calls: [{ name: "apply_patch", freeform: true, args: { input: PATCH } }] },
      { text: "?" },
    );
    const { result } = await place.play(CODEX.agent(), { ownTools: "replaced", options: allowed });
    expect(result).toMatchObject({ status: "completed", text: "?" });
    expect(readFileSync(join(place.cwd, "a.txt"), "utf8")).toBe("alpha\nbeta\n");
  }
  const [request] = await place.server.requests();
  expect(toolsOf(request!).filter((name) => /exec|shell|agent|image|goal/.test(name))).toEqual([]);
});

it("reports the lines that a patch changed, and leaves no configuration behind", async () => {
  const file = (name: string): string => join(place.cwd, name);
  writeFileSync(file("a.txt"), "alpha\nbeta\n");
  await place.server.reply({
    text: "I patch.",
    calls: [{ name: "apply_patch", freeform: true, args: { input: PATCH } }],
  });
  const { heard, result } = await place.play(CODEX.agent(), { systemPrompt: "Be kind.", options: CODEX.open });
  expect(result.status).toBe("completed");
  expect(readFileSync(file("a.txt"), "utf8")).toBe("alpha\ngamma\n");
  const tools = heard.flatMap((event) => (event.type === "tool" ? [event.tool] : []));
  expect(tools[0]).toMatchObject({
    title: "Edit a.txt, n.txt",
    kind: "edit",
    status: "in_progress",
    locations: [{ path: file("a.txt") }, { path: file("n.txt") }],
  });
  expect(tools.at(-1)).toEqual({
    call: tools[0]?.call,
    content: [
      { type: "diff", path: file("a.txt"), oldText: "alpha\nbeta\n", newText: "alpha\ngamma\n" },
      { type: "diff", path: file("n.txt"), oldText: null, newText: "new\n" },
    ],
  });
  const left = readdirSync(join(place.home, ".codex")).filter((name) => name.startsWith("troupe-"));
  expect(left).toEqual([]);
});
