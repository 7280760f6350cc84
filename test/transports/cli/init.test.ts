/** `troupe init`: files that run. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Place } from "./started.ts";

describe("troupe init", () => {
  it("writes files that run, and replaces them only when told so", async () => {
    const place = new Place();
    const example = join(place.cwd, ".troupe", "workflows", "example.yaml");
    const first = await place.run(["init"]);
    expect([first.code, first.err]).toEqual([0, ""]);
    expect(first.out).toContain("troupe run example -i name=you");
    for (const name of ["example", "demo"])
      expect((await place.run(["validate", name, "--strict"])).out).toBe(`✓ ${name} is valid\n`);
    const run = await place.run(["run", "example", "--trust", "-i", "name=you; touch owned"]);
    expect(run.code).toBe(0);
    expect(run.out).toContain("Hello, you; touch owned!");
    expect(existsSync(join(place.cwd, "owned"))).toBe(false);

    writeFileSync(example, "mine");
    const again = await place.run(["init", "--format", "json"]);
    expect(again.code).toBe(1);
    expect(JSON.parse(again.out).error).toMatchObject({ code: "USER.CLI.EXISTS" });
    expect(readFileSync(example, "utf8")).toBe("mine");
    const forced = await place.run(["init", "--force", "--format", "json"]);
    expect(JSON.parse(forced.out)).toEqual({
      files: [".troupe/workflows/example.yaml", ".troupe/workflows/demo.yaml"],
    });
    expect(readFileSync(example, "utf8")).not.toBe("mine");

    rmSync(example);
    place.write("elsewhere.txt", "not a workflow");
    symlinkSync(join(place.cwd, "elsewhere.txt"), example);
    expect((await place.run(["init", "--force"])).code).toBe(0);
    expect(readFileSync(join(place.cwd, "elsewhere.txt"), "utf8")).toBe("not a workflow");
    place.remove();
  });
});
