/** `troupe chat` with real agents, each against the scripted model server. */
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROGRAM } from "../support/house.ts";
import { Place } from "./place.ts";
import { ACP_SUBJECTS } from "./subjects/acp.ts";

const TALKED = ACP_SUBJECTS.filter(({ name }) => name === "claude-agent-acp" || name === "gemini --acp");

describe.each(TALKED)("troupe chat with $name", (subject) => {
  let place: Place;
  beforeAll(async () => {
    place = await Place.open(subject);
  });
  afterAll(() => place.close());

  it("answers, is kept, and goes on in another process", () => {
    const given = subject.environment(place.server, place.home);
    const env = { ...given, HOME: place.home, TROUPE_HOME: `${place.root}/t`, TROUPE_TRUST_AGENTS: "mine" };
    const troupe = (...args: string[]) =>
      spawnSync(process.execPath, [PROGRAM, ...args], { cwd: place.cwd, env, encoding: "utf8", timeout: 100_000 });
    const { command, args = [] } = subject.entry;
    const own = Object.entries(given).flatMap(([name, value]) =>
      name === "PATH" || name === "HOME" || value === undefined ? [] : ["--env", `${name}=from_env:${name}`],
    );
    expect(troupe("agents", "add", "mine", ...own, "--", command, ...args).stderr).toBe("");
    const first = troupe("chat", "mine", "-p", "token=ALPHA");
    expect([first.status, first.stderr]).toEqual([0, ""]);
    expect(first.stdout).toContain("You said: token=ALPHA");
    subject.age?.(place.home);
    const second = troupe("chat", "--resume", "-p", "token=BETA");
    expect([second.status, second.stderr]).toEqual([0, ""]);
    expect(second.stdout).toContain("You said: token=BETA. First prompt was: token=ALPHA");
    const shown = troupe("sessions", "show", "@last").stdout;
    expect(shown.match(/You said: token=ALPHA/g)).toHaveLength(1);
  });
});
