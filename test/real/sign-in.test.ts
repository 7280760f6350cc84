/** What the real programs say in a home without a sign-in, and what preflight makes of that. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { PATH_WITH_AGENTS } from "./programs.ts";

let house: House;
beforeAll(() => {
  house = openHouse(["real/asks-claude.yaml", "real/asks-codex.yaml"]);
});
afterAll(() => house.leave());

describe.each([
  ["claude", "Claude Code", { ANTHROPIC_API_KEY: "sk-ant-no" }],
  ["codex", "Codex", { CODEX_API_KEY: "no" }],
])("%s", (program, name, key) => {
  const env = { PATH: PATH_WITH_AGENTS, TROUPE_TRUST: "1" };

  test("without a sign-in is a warning of validate, and refuses a run before its first step", async () => {
    const checked = house.troupe(["validate", `asks-${program}`], env);
    expect(await checked.ended).toEqual({ code: 0, signal: null });
    expect(checked.lines.join("\n") + checked.stderr).toContain(`no one is signed in to ${name} here`);
    const run = house.troupe(["run", `asks-${program}`], env);
    expect(await run.ended).toEqual({ code: 2, signal: null });
    expect(run.stderr).toContain("[WORKFLOW.PREFLIGHT.REFUSED]");
    expect(existsSync(join(house.cwd, "begun"))).toBe(false);
  });

  test("with a key is not asked", async () => {
    const checked = house.troupe(["validate", `asks-${program}`], { ...env, ...key });
    expect(await checked.ended).toEqual({ code: 0, signal: null });
    expect(checked.lines.join("\n") + checked.stderr).not.toContain("signed in");
  });
});
