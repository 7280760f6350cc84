/**
 * Emacs with agent-shell, by the README's configuration. Where the editor or a package is missing, the test is skipped
 * and says what is missing.
 *
 * A1. What is typed is sent as it was typed: nothing that comes from Troupe is shown behind the shell's prompt, though a
 *     session is opened only by its first prompt, and though one is resumed.
 */
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, asked } from "../../support/tape.ts";
import { type Desk, openDesk, snippetOf } from "./desk.ts";
import { Emacs } from "./emacs.ts";
import { find } from "./found.ts";

const found = find("emacs", ["acp.el", "shell-maker", "agent-shell"]);
const title = found.missing === null ? "Emacs with agent-shell" : `Emacs, skipped: ${found.missing}`;

describe.skipIf(found.missing !== null)(title, () => {
  let desk: Desk;
  const open: Emacs[] = [];
  beforeAll(() => {
    desk = openDesk(["acceptance/talk.yaml"]);
    // agent-shell works in the project around a file, and a folder above this one may be one
    execFileSync("git", ["init", "--quiet"], { cwd: desk.house.cwd });
  });
  afterAll(async () => {
    for (const emacs of open) emacs.kill();
    await desk.house.leave();
  });

  async function enter(): Promise<Emacs> {
    if (found.missing !== null) throw new Error(found.missing);
    const setup = snippetOf("README.md", "elisp", "agent-shell");
    const emacs = await Emacs.start(desk, found.program, found.plugins, { setup, chat: "agent-shell.el" });
    open.push(emacs);
    return emacs;
  }
  const type = (emacs: Emacs, text: string) => emacs.evaluate(`(visit-type ${JSON.stringify(text)})`);
  const prompts = () => asked(desk.tape.last(), "session/prompt").map(({ prompt }) => prompt);
  /** The shell has shown this, its prompt is the last of it. */
  const rests = (emacs: Emacs, shown: RegExp) =>
    expect.poll(() => emacs.value("(visit-chat)"), { timeout: 30_000, interval: 100 }).toMatch(shown);
  const text = (words: string) => [{ type: "text", text: words }];

  it("sends what is typed, after the first prompt and after a resume (A1)", async () => {
    const first = await enter();
    await first.evaluate("(visit-open)");
    await type(first, "/talk");
    await rests(first, /Who are you\?[\s\S]*Troupe> $/);
    await type(first, "Ann");
    await rests(first, /Troupe> Ann\n[\s\S]*Ann[\s\S]*Troupe> $/);
    expect(prompts()).toEqual([text("/talk"), text("Ann")]);
    const [{ sessionId = "" } = {}] = answered(desk.tape.last(), "session/new");
    await first.leave();

    const second = await enter();
    await second.evaluate(`(visit-open ${JSON.stringify(sessionId)})`);
    await type(second, "Bob");
    await rests(second, /Troupe> Bob\n[\s\S]*Bob[\s\S]*Troupe> $/);
    await type(second, "Cleo");
    await rests(second, /Troupe> Cleo\n[\s\S]*Cleo[\s\S]*Troupe> $/);
    expect(prompts()).toEqual([text("Bob"), text("Cleo")]);
    await second.leave();
  });
});
