/** What `troupe` asks on a terminal of its own: trust, inputs, permissions and approvals. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "./started.ts";
import { CONTROL, FILES, hasScript, typing } from "./typing.ts";

describe.skipIf(!hasScript)("on a terminal (skipped where there is no script of util-linux)", () => {
  let place: Place;
  beforeAll(() => {
    place = new Place(FILES);
  });
  afterAll(() => place.remove());

  it("asks for the directory of a workflow that is named by its path, with what it reads, again when that has changed", async () => {
    const one = new Place({
      "../elsewhere/w.yaml":
        "name: w\nstates:\n  initial: a\n  a: {type: command, script_file: s.sh, on_success: z}\n  z: {type: terminal}\n",
    });
    one.write("../elsewhere/s.sh", "echo before");
    one.write(".troupe/workflows/here.yaml", "name: here\nstates:\n  initial: z\n  z: {type: terminal}\n");
    const elsewhere = join(one.folder, "elsewhere");
    const ASKS = `? Trust ${elsewhere}?`;
    const here = await typing(one, "run here", [[`? Trust ${one.cwd}?`, "1\n"]]);
    expect([here.code, here.left]).toEqual([0, 0]);
    const dialogue: [string, string, (() => void)?][] = [
      [ASKS, ""],
      ["2) Do not run", "1\n", () => one.write("../elsewhere/s.sh", "echo after")],
      [ASKS, ""],
      ["2) Do not run", "1\n"],
    ];
    const { code, text, left } = await typing(one, "run ../elsewhere/w.yaml", dialogue);
    expect([code, left]).toEqual([0, 0]);
    const [, first = "", second = ""] = text.split(ASKS);
    expect(first).toContain("s.sh");
    expect(first).not.toContain("changed");
    expect(second).toContain("changed");
    expect(second).toContain("after");
    expect((await one.run(["run", "../elsewhere/w.yaml"])).code).toBe(0);
    one.remove();
  });

  it("asks whether an agent may use a tool, whole, and once where the answer is for good", async () => {
    const question = (rest: string) =>
      `? May the agent use Bash (execute)?\n${rest}  1) Allow (allow, this time)\n  2) Always allow this very call (allow, for the rest of this session)\n`;
    const dialogue: [string, string][] = [
      [question("  The agent calls it: read the README\n  command: rm -rf build\n"), "2\n"],
      [question("  command: rm -rf src\n"), "refuse\n"],
    ];
    const { code, text, left } = await typing(place, "run tools --trust", dialogue);
    expect([code, left]).toEqual([0, 0]);
    expect(text.split("1) Allow (allow, this time)").length).toBe(3);
    expect(text.match(/Bash was (allowed|refused)/g)).toEqual([
      "Bash was allowed",
      "Bash was allowed",
      "Bash was refused",
    ]);
  });

  it("asks for inputs that are missing, again where a value does not fit, and hides a secret", async () => {
    const dialogue: [string, string][] = [
      ["? level\n  1) low\n  2) high\n> ", "3\n"],
      ['input "level" is "3": expected one of low, high\n> ', "2\n"],
      ["? count (integer)\n> ", "12\n"],
      ["expected at most 9\n> ", "7\n"],
      ["? api_key\n> ", "hush-hush-hush\n"],
    ];
    const { code, text, left } = await typing(place, "run needs --trust", dialogue);
    expect([code, left]).toEqual([0, 0]);
    expect(text).toContain("    high-7\n");
    expect(text).not.toContain("hush");
  });

  it("reads an input of @- without showing it", async () => {
    const dialogue: [string, string][] = [["? api_key\n> ", "hush-hush-hush\n"]];
    const args = "run needs --trust -i api_key=@- -i level=low -i count=3";
    const { code, text, left } = await typing(place, args, dialogue);
    expect([code, left]).toEqual([0, 0]);
    expect(text).toContain("    low-3\n");
    expect(text).not.toContain("hush");
    // Where it is asked for again, it is said why.
    const why = "? api_key (a secret: it was not stored; what you type is not shown)\n> ";
    const again = await typing(place, "rerun @last --trust", [[why, "hush-hush-hush\n"]]);
    expect([again.code, again.left, again.text.includes("hush")]).toEqual([0, 0, false]);
  });

  it("refuses the run when no more inputs are given", async () => {
    const { code, text } = await typing(place, "run needs --trust", [["? level", CONTROL.d]]);
    expect(code).toBe(1);
    expect(text).toContain("USER.INPUT.MISSING");
  });

  it("asks for an approval", async () => {
    const allowed = await typing(place, "run gated --trust", [["> ", "1\n"]]);
    expect([allowed.code, allowed.text.includes("    ran\n")]).toEqual([0, true]);
    expect(allowed.text).toContain("  Sure?\n");
    const denied = await typing(place, "run gated --trust", [["> ", "2\n"]]);
    expect([denied.code, denied.text.includes("    ran\n")]).toEqual([9, false]);
  });

  it("takes an approval back when its time is over", async () => {
    const { code, text } = await typing(place, "run timed --trust", []);
    expect([code, text.includes("    ran\n")]).toEqual([9, false]);
    expect(text).toContain("no answer");
  });
});
