/** `troupe` on a terminal of its own, and without one: util-linux's `script` gives it one and passes on what is typed. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROGRAM } from "../../support/house.ts";
import { Place } from "./started.ts";
import { CONTROL, FILES, hasScript, typing } from "./typing.ts";

/** Of all processes; `script` is there on Linux alone. */
const environments = (): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8");
      } catch {
        return ""; // it has ended, or is another's
      }
    });

describe.skipIf(!hasScript)("on a terminal (skipped where there is no script of util-linux)", () => {
  let place: Place;
  beforeAll(() => {
    place = new Place(FILES);
  });
  afterAll(() => place.remove());
  const ASKED = "waits for your answer (an empty line ends the conversation)\n> ";
  const latest = async () => JSON.parse((await place.run(["history", "--format", "json", "-n", "1"])).out)[0];

  it("talks with a run, turn after turn, until an empty line", async () => {
    const dialogue: [string, string][] = [
      [ASKED, "Ann\n"],
      [ASKED, "  two words\n"],
      [ASKED, "\n"],
    ];
    const { code, text, left } = await typing(place, "run talk --trust", dialogue);
    expect([code, left]).toEqual([0, 0]);
    expect(text).toContain("    Who are you?\n? step");
    expect(text).toMatch(/ {4}Ann\n\? step[\s\S]* {4} {2}two words\n\? step[\s\S]*bye\n✓ talk completed/);
    expect(await latest()).toMatchObject({ workflow: "talk", status: "completed" });
  });

  it("takes no line that a dumb terminal has cut, and says how a long text is given", async () => {
    const dialogue: [string, string][] = [
      [ASKED, `${"x".repeat(5_000)}\n`],
      ['--answer "$(cat file)"', "Ann\n"],
      [ASKED, "\n"],
    ];
    const { code, text } = await typing(place, "run talk --trust", dialogue, { TERM: "dumb" });
    expect(code).toBe(0);
    expect(text).toContain("troupe: not taken: a terminal drops what a line has beyond 4095 bytes");
    expect(text).toMatch(/ {4}Ann\n\? step/);
  });

  it("ends a conversation at the end of the input", async () => {
    const { code, text } = await typing(place, "run talk --trust", [[ASKED, CONTROL.d]]);
    expect(code).toBe(0);
    expect(text).toContain("talk completed");
  });

  it("takes what is pasted as one answer, however many lines it has, and leaves the terminal as it was", async () => {
    const dialogue: [string, string][] = [
      [ASKED, "\u001b[200~one\rtwo\rthree\u001b[201~"],
      ["one↵two↵three", "\n"],
      [ASKED, "\n"],
    ];
    const { code, text, raw, left } = await typing(place, "run talk --trust", dialogue);
    expect([code, left]).toEqual([0, 0]);
    expect(text).toMatch(/ {4}one\n {4}two\n {4}three\n\? step[\s\S]*bye\n✓ talk completed/);
    expect(raw.match(/\?2004./g)).toEqual(["?2004h", "?2004l", "?2004h", "?2004l"]);
  });

  it("marks no paste any more when a question is interrupted", async () => {
    const { code, raw } = await typing(place, "run talk --trust", [[ASKED, CONTROL.c]]);
    expect([code, raw.match(/\?2004./g)]).toEqual([130, ["?2004h", "?2004l"]]);
    const unfilled = await typing(place, "run needs --trust", [["> ", CONTROL.c]]);
    expect([unfilled.code, unfilled.raw.match(/\?2004./g)]).toEqual([130, ["?2004h", "?2004l"]]);
  });

  it("leaves a run parked when the terminal goes: its end is no answer", async () => {
    await typing(place, "run talk --trust", [[ASKED, "", (terminal) => terminal.kill("SIGKILL")]]);
    // It is nobody's child here, and ends by itself.
    await expect.poll(() => environments().some((each) => each.includes(place.home)), { timeout: 10_000 }).toBe(false);
    const { id, status } = await latest();
    expect(status).toBe("parked");
    const rows = (await place.run(["logs", id, "--format", "json"])).out.trimEnd().split("\n");
    expect(rows.map((row) => JSON.parse(row).type)).not.toContain("input.answered");
  });

  it("ends at a Ctrl-C where a prompt is waited for", async () => {
    const connect = `acp connect ${process.execPath} ${PROGRAM} acp`;
    const { code, text, left } = await typing(place, connect, [["> ", CONTROL.c]]);
    expect([code, left]).toEqual([130, 0]);
    expect(text).toContain("session ");
  });

  it("cancels a parked run on an interrupt, which answers nothing", async () => {
    const { code, text } = await typing(place, "run talk --trust", [[ASKED, CONTROL.c]]);
    expect(code).toBe(130);
    expect(text).toContain("talk cancelled");
    expect(await latest()).toMatchObject({ workflow: "talk", status: "cancelled" });
  });

  it("asks what a run parked elsewhere waits for", async () => {
    const parked = await place.run(["run", "talk", "--trust", "--format", "json"]);
    const { run } = JSON.parse(parked.out.trimEnd().split("\n").at(-1) ?? "").parked;
    const { code, text } = await typing(place, `resume ${run}`, [[`${ASKED.slice(0, -2)}  Who are you?\n> `, "\n"]]);
    expect(code).toBe(0);
    expect(text).toContain("talk completed");
  });
});

describe("without a terminal", () => {
  let place: Place;
  beforeAll(() => {
    place = new Place(FILES);
  });
  afterAll(() => place.remove());

  it.each([
    ["gated", 9],
    ["skipped", 3],
    ["aborted", 130],
    ["timed", 9],
  ])("an approval is denied: %s", async (workflow, code) => {
    const ended = await place.run(["run", workflow, "--trust"]);
    expect([ended.code, ended.out.includes("    ran\n")]).toEqual([code, false]);
  });

  it("a run that lacks inputs is refused, and one that parks says how to continue", async () => {
    const refused = await place.run(["run", "needs", "--trust", "--format", "json"]);
    expect([refused.code, JSON.parse(refused.out).error.code]).toEqual([1, "USER.INPUT.MISSING"]);
    const parked = await place.run(["run", "talk", "--trust"]);
    expect([parked.code, parked.err]).toEqual([0, ""]);
    expect(parked.out).toMatch(
      / {4}Who are you\?\n\? parked: step "chat" waits for an answer\n {2}troupe resume \S+ --answer "…"\n$/,
    );
    const usage = await place.run(["resume", "--answer", "x"]);
    expect([usage.code, usage.err]).toEqual([1, expect.stringContaining("USER.CLI.USAGE")]);
  });
});
