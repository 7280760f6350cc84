/**
 * Emacs with acp.el, the library below agent-shell, with the client of the README's configuration. A small chat shows
 * what the library hears, in order. Where the editor or the library is missing, the test is skipped and says what is
 * missing.
 *
 * E1. A parked question is answered by the next prompt, and an empty one or a lone "." ends the conversation.
 * E2. A person who is asked sees what the question is about, and decides by a button.
 * E3. Cancel ends the step's process, and the session takes the next prompt.
 * E4. A new editor lists the session. After `load` it shows what was said once, after `resume` the title and the plan as
 *     they stand, and the parked run continues.
 * E5. Nothing of a turn comes after its answer, nothing on standard error, and every message of both sides is valid by
 *     the protocol's own schema.
 * E6. The tour of the language runs to its end.
 */
import { copyFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOf } from "../../support/acp-schema.ts";
import { answered, asked } from "../../support/tape.ts";
import { type Desk, openDesk, runs, snippetOf } from "./desk.ts";
import { Emacs } from "./emacs.ts";
import { find } from "./found.ts";

const EXAMPLES = fileURLToPath(new URL("../../../docs/examples/", import.meta.url));
const found = find("emacs", ["acp.el"]);
const title = found.missing === null ? "Emacs with acp.el" : `Emacs, skipped: ${found.missing}`;

describe.skipIf(found.missing !== null)(title, () => {
  let desk: Desk;
  const open: Emacs[] = [];
  beforeAll(() => {
    desk = openDesk(["real/visit.yaml", "acceptance/hello.yaml"]);
  });
  afterAll(async () => {
    for (const emacs of open) emacs.kill();
    await desk.house.leave();
  });

  async function enter(): Promise<Emacs> {
    if (found.missing !== null) throw new Error(found.missing);
    const setup = snippetOf("README.md", "elisp", "agent-shell");
    expect(snippetOf("docs/editors.md", "elisp", "agent-shell")).toBe(setup);
    const emacs = await Emacs.start(desk, found.program, found.plugins, { setup, chat: "acp-el.el" });
    open.push(emacs);
    await emacs.evaluate("(visit-begin)");
    return emacs;
  }
  const prompt = (emacs: Emacs, text: string) => emacs.evaluate(`(visit-prompt ${JSON.stringify(text)})`);
  const press = (emacs: Emacs, button: string) => emacs.evaluate(`(visit-answer ${JSON.stringify(button)})`);
  const stops = () => answered(desk.tape.last(), "session/prompt").map(({ stopReason }) => stopReason);

  it("runs the visit, and continues it in new editors (E1–E5)", async () => {
    const first = await enter();
    await first.evaluate("(visit-new)");
    await expect
      .poll(() => first.value<string[]>("visit-commands"), { timeout: 30_000 })
      .toEqual(["hello", "visit", "rerun"]);
    await prompt(first, "/visit");
    const begun = await first.shows("== end_turn", "> /visit");
    expect(begun).toContain("plan: talk in_progress, change pending, release pending, hold pending\nWho are you?\n");
    await prompt(first, "Ann");
    expect(await first.shows("== end_turn", "> Ann")).toBe("> Ann\nAnn\n== end_turn\n");
    await prompt(first, "");

    const question = await first.shows("[Always refuse this very call]", "> \n");
    expect(question).toContain("(Two lines will do.)\n- May the agent use Write (edit)? [pending]\n");
    expect(question).toContain("? May the agent use Write (edit)? path: notes.txt\n  [Allow]\n");
    expect(existsSync(join(desk.house.cwd, "notes.txt"))).toBe(false);
    await press(first, "Allow");

    const consent = await first.shows("[Do not run it]", "? May the agent");
    expect(consent).toContain('    notes.txt: "one\\n" -> "one\\ntwo\\n"\n');
    expect(consent).toContain("The notes have two lines.\n");
    expect(consent).toContain(
      '? Run step "release"? May it be released? · command: echo it is out\n  [Run it]\n  [Do not run it]\n',
    );
    expect(existsSync(join(desk.house.cwd, "notes.txt"))).toBe(true);
    await press(first, "Run it");

    await first.shows("holding", "? Run step");
    expect(runs(desk.house, "hold.pid")).toBe(true);
    await first.evaluate("(visit-cancel)");
    const cancelled = await first.shows("== cancelled", "? Run step");
    expect(cancelled).toMatch(
      /\[failed\]\n {4}```\nholding\n```\n {4}Cancelled\n(plan: .*\n)?\n\nWorkflow "visit" was cancelled\.\n== cancelled\n$/,
    );
    expect(runs(desk.house, "hold.pid")).toBe(false);

    await prompt(first, "/hello");
    await first.shows("Hello was said.\n== end_turn", "> /hello");
    await prompt(first, "/visit");
    await first.shows("Who are you?\n== end_turn", "> /visit");
    expect(stops()).toEqual(["end_turn", "end_turn", "cancelled", "end_turn", "end_turn"]);
    expect(await first.value("(visit-chat)")).not.toContain("! ");
    expect(await first.value("(visit-traffic)")).toContain("← request      session/request_permission");
    await first.leave();

    const second = await enter();
    expect(await second.value<string[]>("(visit-titles)")).toEqual(["/visit"]);
    await second.evaluate('(visit-again "/visit" #\'acp-make-session-load-request)');
    const history = await second.value("(visit-chat)");
    expect(history.match(/^(> )?Ann$/gm)).toEqual(["> Ann", "Ann"]);
    expect(history).toContain("The notes have two lines.\n");
    expect(history).toContain("> /hello\n");
    await prompt(second, "Bob");
    await second.shows("Bob\n== end_turn", "> Bob");
    await second.leave();

    const third = await enter();
    await third.evaluate('(visit-again "/visit" #\'acp-make-session-resume-request)');
    expect(await third.value("(visit-chat)")).toBe(
      "title: /visit\nplan: talk in_progress, change pending, release pending, hold pending\n--\n",
    );
    await prompt(third, "Cleo");
    await third.shows("Cleo\n== end_turn", "> Cleo");
    await prompt(third, ".");
    await third.shows("? May the agent use Write (edit)? path: notes.txt", "> .");
    await third.leave();

    // The library kills the program that it started, and so the tee: the agent's end is not recorded.
    const [one, two, three] = desk.tape.wires();
    expect(desk.tape.wires().flatMap(({ sent }) => faultsOf(sent))).toEqual([]);
    const [{ sessionId } = {}] = answered(one!, "session/new");
    expect(asked(two!, "session/load")).toMatchObject([{ sessionId }]);
    expect(asked(three!, "session/resume")).toMatchObject([{ sessionId }]);
  });

  it("runs the tour (E5, E6)", async () => {
    const folder = join(desk.house.cwd, ".troupe", "workflows");
    for (const file of readdirSync(EXAMPLES)) copyFileSync(join(EXAMPLES, file), join(folder, file));
    const emacs = await enter();
    await emacs.evaluate("(visit-new)");
    await prompt(emacs, "/tour who=world");
    expect(await emacs.shows("== end_turn", "> /tour")).toContain("goodbye world\n");
    await emacs.leave();
    expect(faultsOf(desk.tape.last().sent)).toEqual([]);
  });
});
