/**
 * A file that an agent writes through Troupe is asked about as an edit: in an editor, in `troupe ui`, and in the list
 * of what waits. H33, H46.
 *
 * E1. The question holds a diff against the file as it is on disk. If the file changes meanwhile, the first answer
 *     writes nothing and the question is asked anew.
 * E2. A no leaves the file as it is.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Asked, Editor } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse } from "../support/house.ts";
import { hasTmux } from "../support/tmux.ts";
import { has, isGolden, startUi } from "../support/ui.ts";

const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));

let house: House;
let file: string;
beforeEach(() => {
  house = openHouse([]);
  file = join(house.cwd, "notes.txt");
  writeFileSync(file, "one\n");
  const workflow = {
    name: "edit",
    states: {
      initial: "first",
      first: { type: "agent", provider: "scribe", prompt: `write ${file}`, on_success: "done" },
      done: { type: "terminal" },
    },
  };
  writeFileSync(join(house.cwd, ".troupe", "workflows", "edit.yaml"), JSON.stringify(workflow));
  const folder = join(house.env["HOME"] ?? "", ".config", "troupe");
  mkdirSync(folder, { recursive: true });
  const scribe = { command: process.execPath, args: [AGENT], files: "write" };
  writeFileSync(join(folder, "config.yaml"), JSON.stringify({ agents: { acp: { scribe } } }));
  Object.assign(house.env, { TROUPE_TRUST: "1", TROUPE_TRUST_AGENTS: "scribe" });
});
afterEach(() => house.leave());

async function edited(decide: (asked: Asked, count: number) => string): Promise<Asked[]> {
  const editor = new Editor(house.troupe(["acp"]));
  const seen: Asked[] = [];
  editor.decide = (asked) => {
    seen.push(asked);
    return decide(asked, seen.length);
  };
  await editor.initialize();
  await editor.prompt(await editor.open(house.cwd), "/edit");
  await editor.leave();
  expect(faultsOf(editor.trace)).toEqual([]);
  return seen;
}
const diff = (oldText: string) => ({ type: "diff", path: file, oldText, newText: "written" });

test("an editor is asked with a diff of what is there, and anew where the file has changed (E1)", async () => {
  const seen = await edited((_, count) => {
    if (count === 1) writeFileSync(file, "two\n");
    return "allow_once";
  });
  expect(seen.map(({ toolCall }) => toolCall["content"])).toEqual([[diff("one\n")], [diff("two\n")]]);
  expect(seen[0]?.toolCall["title"]).toContain(`± ${file} (+1 -1)`);
  expect(readFileSync(file, "utf8")).toBe("written");
});

test("a no leaves the file (E2)", async () => {
  expect(await edited(() => "reject_once")).toHaveLength(1);
  expect(readFileSync(file, "utf8")).toBe("one\n");
});

describe.skipIf(!hasTmux)("troupe ui (skipped where there is no tmux)", () => {
  test("shows the edit that it asks about, and writes it after a yes (E1)", { timeout: 60_000 }, async () => {
    const editor = new Editor(house.troupe(["acp"]));
    editor.decide = () => undefined;
    await editor.initialize();
    const turn = editor.prompt(await editor.open(house.cwd), "/edit");
    const size = { columns: 80, rows: 24 };
    const terminal = startUi(house, size);
    try {
      await terminal.shows(has("1 waits for you", "May the agent use"));
      terminal.type("a");
      await isGolden(terminal, house, { size, name: "edit", looks: has("- one", "+ written", "1) Allow") });
      terminal.type("1");
      await turn;
      expect(readFileSync(file, "utf8")).toBe("written");
      terminal.type("q");
      await terminal.shows(has("[ended 0]"));
      await editor.leave();
    } finally {
      terminal.close();
    }
  });
});
