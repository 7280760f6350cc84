/** Runs that were killed or parked, taken up again where no one can be asked. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Exchange } from "../../../actors/troupe.ts";
import { FILES } from "./process-files.ts";
import { Place, steady } from "./started.ts";

describe("a run that was killed", () => {
  it("continues where it was: nothing finished is repeated, nothing shown is shown again", async () => {
    const place = new Place(FILES);
    const { child, said, ended } = place.start(["run", "slow", "--trust", "--format", "json"]);
    await said("two");
    child.kill("SIGKILL");
    const before = (await ended).out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Exchange);
    const [interrupted] = JSON.parse((await place.run(["resume", "--format", "json"])).out);
    expect(interrupted).toMatchObject({ workflow: "slow", status: "interrupted", resumable: true });
    expect((await place.run(["resume"])).out).toContain("troupe resume <run>");

    place.write("go", "");
    const resumed = await place.run(["resume", interrupted.id, "--recover=rerun", "--format", "json"]);
    const after = resumed.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Exchange);
    expect([resumed.code, resumed.err]).toEqual([0, ""]);
    expect(readFileSync(join(place.cwd, "once.txt"), "utf8")).toBe("once\n");
    expect(after.filter(({ type }) => type === "step.completed").map(({ step }) => step)).toEqual(["b"]);
    const seqs = [...before, ...after].map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(after.at(-1)?.seq).toBe((after[0]?.seq ?? 0) + after.length - 1);
    expect((await place.run(["resume", interrupted.id])).code).toBe(1);
    expect(JSON.parse((await place.run(["resume", "--format", "json"])).out)).toEqual([]);
    place.remove();
  });

  it("fails what was cut off where no one can be asked", async () => {
    const place = new Place(FILES);
    const { child, said, ended } = place.start(["run", "slow", "--trust"]);
    await said("two");
    child.kill("SIGKILL");
    await ended;
    const [{ id }] = JSON.parse((await place.run(["resume", "--format", "json"])).out);
    const { code, out, err } = await place.run(["resume", id]);
    expect(code).toBe(3);
    expect(err).toContain("no one to ask here: a step that a crash cut off fails");
    expect(err).toContain("--recover=rerun");
    expect(out).toContain(`slow · run ${id} · resumed\n`);
    expect(out).not.toContain("one");
    expect(out).toContain("EXECUTION.STEP.INTERRUPTED");
    place.remove();
  });
});

describe("a parked run that is answered where no one can be asked", () => {
  it("says how to decide what it asks then, and waits for that", async () => {
    const place = new Place({
      ".troupe/workflows/two.yaml": [
        "name: two",
        "states:",
        "  initial: a",
        "  a: {type: ask, message: m, questions: [{name: n, prompt: How many?}], on_success: b}",
        "  b: {type: command, command: 'echo {{.states.a.JSON.n}} of them', approval: {message: Sure?}, on_success: z}",
        "  z: {type: terminal}",
      ].join("\n"),
    });
    expect((await place.run(["run", "two", "--trust"])).out).toContain("How many?");
    const { child, ended } = place.start(["decide", "@last", "three"]);
    let err = "";
    await new Promise<void>((resolve, reject) => {
      void ended.then(() => reject(new Error("it has left a run that waits")));
      child.stderr?.on("data", (text: string) => {
        err += text;
        if (err.includes("<allow | deny>")) resolve();
      });
    });
    const [, run = "", permission = ""] = /troupe decide (\S+) --permission (\S+)/.exec(err) ?? [];
    expect((await place.run(["decide", run, "allow", "--permission", permission])).code).toBe(0);
    const { code, out } = await ended;
    expect([code, steady(out)]).toEqual([
      0,
      '  ✓ a TIME\n  → b\n    Run step "b"? Run it\n    three of them\n  ✓ b TIME\n✓ two completed in TIME (2 steps)\n',
    ]);
    place.remove();
  });
});
