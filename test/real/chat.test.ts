/**
 * `troupe chat` with real agents, added by their presets, each against the scripted model server.
 *
 * R1. What was said is kept, and another process continues the conversation.
 * R2. A kill -9 in the middle of a turn loses nothing that was said before; the next process continues. Gemini CLI removes
 *     a conversation that was loaded once when it starts again, unless its user keeps it from that, as here.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PROGRAM } from "../support/house.ts";
import { Place } from "./place.ts";
import { WHOLE } from "./subject.ts";
import { ACP_SUBJECTS } from "./subjects/acp.ts";

/** Codex and OpenCode pass too, but take a minute. */
const TALKED = ACP_SUBJECTS.filter(({ name }) => (WHOLE ? /^(claude|gemini|copilot)/ : /^(claude|gemini)/).test(name));

describe.each(TALKED)("troupe chat with $name", (subject) => {
  let place: Place;
  beforeEach(async () => {
    place = await Place.open(subject);
  });
  afterEach(() => place.close());

  it("answers, is killed in the middle of a turn, and continues in another process (R1, R2)", async () => {
    const given = { ...subject.environment(place.server, place.home), GEMINI_MODEL: "gemini-2.5-flash" };
    const env = { ...given, HOME: place.home, TROUPE_HOME: `${place.root}/t`, TROUPE_TRUST_AGENTS: "mine" };
    const options = { cwd: place.cwd, env, timeout: 100_000 } as const;
    const troupe = (...args: string[]) =>
      spawnSync(process.execPath, [PROGRAM, ...args], { ...options, encoding: "utf8" });
    const own = Object.entries(given).flatMap(([name, value]) =>
      name === "PATH" || name === "HOME" || value === undefined ? [] : ["--env", `${name}=from_env:${name}`],
    );
    const added = troupe("agents", "add", subject.entry.command, "--installed", "--as", "mine", ...own);
    expect([added.status, added.stderr]).toEqual([0, ""]);
    const first = troupe("chat", "mine", "-p", "token=ALPHA");
    expect([first.status, first.stderr]).toEqual([0, ""]);
    expect(first.stdout).toContain("You said: token=ALPHA");

    subject.age?.(place.home);
    const hanging = place.server.hanging();
    const cut = spawn(process.execPath, [PROGRAM, "chat", "--resume", "-p", "[[hang]] token=GAMMA"], {
      ...options,
      stdio: "ignore",
    });
    await hanging;
    cut.kill("SIGKILL");
    await once(cut, "exit");
    expect(troupe("sessions").stdout).toContain("cut off");

    const second = troupe("chat", "--resume", "-p", "token=BETA");
    expect([second.status, second.stderr]).toEqual([0, ""]);
    expect(second.stdout).toContain("You said: token=BETA. First prompt was: token=ALPHA");
    const shown = troupe("sessions", "show", "@last").stdout;
    expect(shown.match(/You said: token=ALPHA/g)).toHaveLength(1);
    expect(shown).toContain("What became of the prompt is unknown");
  });
});
