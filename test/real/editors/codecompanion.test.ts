/**
 * Neovim with CodeCompanion, set up as the README says: keys are typed, and the text of the chat is read. Where the
 * editor or the plugin is missing, the test is skipped and says what is missing.
 *
 * E1. A workflow is completed and run as a command; a parked question is answered by the next prompt, and an empty one
 *     ends the conversation.
 * E2. A person who is asked sees what the question is about; the answer is typed as the plugin wants it.
 * E3. Cancel ends the step's process, and the session takes the next prompt.
 * E4. A new editor lists the session, loads it, and shows what was said once. The parked run continues.
 * E5. Every message of both sides is valid by the protocol's own schema.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, asked } from "../../support/tape.ts";
import { type Desk, openDesk, runs, snippetOf } from "./desk.ts";
import { find, withPlainLua } from "./found.ts";
import { Neovim } from "./neovim.ts";

const found = withPlainLua(find("nvim", ["plenary.nvim", "codecompanion.nvim"]));
const title = found.missing === null ? "Neovim with CodeCompanion" : `Neovim, skipped: ${found.missing}`;

describe.skipIf(found.missing !== null)(title, () => {
  let desk: Desk;
  const open: Neovim[] = [];
  beforeAll(() => {
    desk = openDesk(["real/visit.yaml", "acceptance/hello.yaml"]);
  });
  afterAll(async () => {
    for (const neovim of open) neovim.kill();
    await desk.house.leave();
  });

  /** An editor with a chat whose commands are there. */
  async function enter(): Promise<Neovim> {
    if (found.missing !== null) throw new Error(found.missing);
    const setup = snippetOf("README.md", "lua", "codecompanion");
    expect(snippetOf("docs/editors.md", "lua", "codecompanion")).toBe(setup);
    const neovim = await Neovim.start(desk, found.program, found.plugins, setup);
    open.push(neovim);
    await neovim.keys(":CodeCompanionChat adapter=troupe<CR>");
    await expect.poll(() => neovim.lua("Visit.commands()"), { timeout: 30_000 }).toBe("3");
    return neovim;
  }
  const stops = () => answered(desk.tape.last(), "session/prompt").map(({ stopReason }) => stopReason);

  it("runs the visit, and continues it in a new editor (E1–E5)", async () => {
    const first = await enter();
    await first.keys("GA\\vis<C-x><C-o><C-y><Esc><CR>");
    expect(await first.shows("Who are you?")).toMatch(/^## Me\n+\\visit\n+## CodeCompanion \(Troupe\)\n+Who are you\?/);
    await first.prompt("Ann");
    await first.shows("Ann\n\n## Me", "(Troupe)");
    await first.prompt("");

    await first.shows("`g2` - Accept");
    const question = await first.shows("Edit: May the agent use Write (edit)? path: notes.txt", "### Reasoning");
    expect(question).toContain("Two lines will do.");
    expect(existsSync(join(desk.house.cwd, "notes.txt"))).toBe(false);
    await first.keys("g2");

    const consent = await first.shows('Execute: Run step "release"? May it be released?', "You selected: Accept");
    expect(consent).toContain("Edit: notes.txt");
    expect(consent).toContain("The notes have two lines.");
    expect(existsSync(join(desk.house.cwd, "notes.txt"))).toBe(true);
    await first.shows("`g2` - Accept", "May it be released?");
    await first.keys("g2");

    await first.shows("Execute: hold", "May it be released?");
    await desk.tape.recorded(([wire]) => JSON.stringify(wire?.sent).includes("holding"));
    expect(runs(desk.house, "hold.pid")).toBe(true);
    await first.keys("q");
    await desk.tape.recorded(() => stops().includes("cancelled"));
    expect(stops()).toEqual(["end_turn", "end_turn", "cancelled"]);
    expect(runs(desk.house, "hold.pid")).toBe(false);

    await first.prompt("\\hello");
    await first.shows("Hello was said.\n\n## Me");
    await first.prompt("\\visit");
    await first.shows("Who are you?\n\n## Me", "Hello was said.");
    await first.leave();

    const second = await enter();
    await second.lua("Visit.choose('Thought level', 'High')");
    await second.keys("GA/acp<C-x><C-o><C-y>");
    await expect.poll(() => asked(desk.tape.last(), "session/set_config_option").length, { timeout: 30_000 }).toBe(1);
    expect(asked(desk.tape.last(), "session/set_config_option")).toMatchObject([
      { configId: "thought_level", value: "high" },
    ]);

    await second.lua("Visit.choose('/visit')");
    await second.keys("<Esc>GA/resume<C-x><C-o><C-y>");
    const history = await second.shows("Hello was said.");
    expect(history.match(/Ann/g)).toHaveLength(2); // what the user said and what the agent repeated
    expect(history).toContain("/hello\n\n## CodeCompanion (Troupe)\n\nHello was said.");
    await second.keys("<Esc>");
    await second.prompt("Bob");
    await second.shows("Bob\n\n## Me", "(Troupe)");
    await second.leave();

    const [before, after] = await desk.tape.settled();
    const [{ sessionId } = {}] = answered(before!, "session/new");
    expect(asked(after!, "session/load")).toMatchObject([{ sessionId }]);
    expect(asked(after!, "session/prompt")).toMatchObject([{ sessionId, prompt: [{ type: "text", text: "Bob" }] }]);
    expect([before!.ended, after!.ended]).toEqual([0, 0]);
  });
});
