/** The command line itself: what it refuses, how it explains itself, and what it closes. */
import { describe, expect, it } from "vitest";
import type { Troupe } from "../../../actors/troupe.ts";
import { tried } from "./tried.ts";

describe("the command line", () => {
  it.each<[string[], string]>([
    [["bogus"], "troupe: unknown command 'bogus'"],
    [["lsit"], "Did you mean list?"],
    [["RUN", "x"], "unknown command 'RUN'\n(Did you mean run?)"],
    [["acp", "connect", "localhost:8900"], "expected ws://localhost:8900/acp, or the program of an agent"],
    [["acp", "connect", "[::1]:8900", "-p", "hi"], "expected ws://[::1]:8900/acp, or the program of an agent"],
    [["trust", "/nowhere"], "unknown command '…'\n(Did you mean trust add <directory>?)"],
    [["trust", "."], "unknown command '…'\n(Did you mean trust add <directory>?)"],
    [["Sessions"], "unknown command 'Sessions'\n(Did you mean sessions?)"],
    [["help", "lsit"], "unknown command 'lsit'\n(Did you mean list?)"],
    [["lsit", "--help"], "unknown command 'lsit'\n(Did you mean list?)"],
    [["help", "worktrees", "lst"], "unknown command 'lst'\n(Did you mean list?)"],
    [["worktrees", "help", "lst"], "unknown command 'lst'\n(Did you mean list?)"],
    [["sessions", "lst"], "unknown command 'lst'\n(Did you mean list?)"],
    [["sessions", "lst", "--help"], "unknown command 'lst'\n(Did you mean list?)"],
    [["sessions", "list", "mine"], "troupe: too many arguments for 'list'"],
    [["run"], "troupe: missing required argument 'workflow'"],
    [["run", "x", "y"], "troupe: too many arguments"],
    [["run", "x", "-i", "novalue"], "-i: expected name=value"],
    [["run", "x", "-i", "a=1", "-i", "a=2"], '"a" is given twice'],
    [["run", "x", "--wat"], "troupe: unknown option '--wat'"],
    [["run", "x", "--trsut"], "Did you mean --trust?"],
    [["history", "--json"], "unknown option '--json'\n(Did you mean --format json?)"],
    [["agents", "list", "--json"], "(Did you mean --format json?)"],
    [["serve", "--port", "8080"], "unknown option '--port'\n(Did you mean --listen 127.0.0.1:<port>?)"],
    [["ui", "--json"], "unknown option '--json'\n  [USER.CLI.USAGE]"],
    [["list", "--format", "yaml"], "Allowed choices are text, json."],
    [["trust", "add", ""], "Expected a folder."],
    [["trust", "revoke", ""], "Expected a folder."],
    [["agents", "revoke", "mine", ""], "Expected a folder."],
    [["backup", ""], "Expected a folder."],
    [["restore", "", "--force"], "Expected a folder."],
    [["mcp", "--cwd", ""], "Expected a folder."],
    [["history", "--limit", "0"], "Expected a whole number from 1 up."],
    [["history", "--status", "odd"], "Allowed choices are running,"],
    [["acp", "serve", "--transport", "stdio", "--schedules"], "--schedules has no meaning with --transport stdio"],
    [
      ["serve", "--transport", "stdio", "--mcp-allow-decide"],
      "--mcp-allow-decide has no meaning with --transport stdio",
    ],
    [["serve", "--transport", "stdio", "--log-level", "info"], "--log-level has no meaning with --transport stdio"],
    [["serve", "--limit", "pingMs"], "--limit: expected name=number"],
    [["serve", "--transport", "stdio", "--token-file", "t"], "--token-file has no meaning with --transport stdio"],
    [["resume", "r", "--recover", "ask"], "Allowed choices are rerun, fail."],
    [
      ["resume", "r", "--answer", "x", "--recover", "fail"],
      "--answer answers a parked run: --recover says nothing to it",
    ],
    [["resume", "r", "--answer", "", "--budget", "tokens=5"], "--budget says nothing to it"],
    [["resume", "r", "--detach", "--answer", "x", "--budget", "tokens=5"], "--budget says nothing to it"],
    [["resume", "--budget", "tokens=5"], "--budget needs the id of the run that goes on"],
    [["resume", "-i", "token=x"], "--input needs the id of the run that goes on"],
    [["agents", "add", "codex-acp", "--sha256", "0"], "--sha256 is of what --fetch fetches"],
    [["agents", "add", "codex-acp", "--fetch"], "--fetch needs --registry"],
    [
      ["agents", "add", "mine", "--registry", "r.json", "--", "a"],
      "--registry has no meaning with a command of your own",
    ],
    [["agents", "add", "mine", "--installed", "--", "a"], "--installed has no meaning with a command of your own"],
  ])("refuses %j and says why", async (argv, message) => {
    const { code, out, err } = await tried(argv);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(message);
    expect(err).toContain("[USER.CLI.USAGE]");
  });

  it.each([
    [["run", "--format", "json"], "missing required argument 'workflow'"],
    [["zzz", "--format=json"], "unknown command 'zzz'"],
    [["doctor", "--json", "--zzz"], "unknown option '--zzz'"],
  ])("refuses %j as one object", async (argv, message) => {
    const { code, out, err } = await tried(argv);
    expect([code, err]).toEqual([1, ""]);
    expect(JSON.parse(out)).toEqual({ error: { code: "USER.CLI.USAGE", message, details: {} } });
  });

  it("explains itself, with examples and exit codes", async () => {
    const { code, out } = await tried(["--help"]);
    expect(code).toBe(0);
    for (const word of [
      "init",
      "run",
      "list",
      "status",
      "decide",
      "history",
      "resume",
      "validate",
      "demo",
      "acp",
      "Examples:",
      "Exit codes:",
    ]) {
      expect(out).toContain(word);
    }
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect((await tried(["run", "--help"])).out).toContain("$ troupe run demo -i name=world");
    const told = await tried(["--version"]);
    expect(told.out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await tried(["version"])).toEqual(told);
  });

  it.each([
    [["help", "worktrees", "merge"], "Usage: troupe worktrees merge"],
    [["worktrees", "help", "merge"], "Usage: troupe worktrees merge"],
    [["help", "worktrees"], "Usage: troupe worktrees [options] [command]"],
    [["help", "ls"], "Usage: troupe list|ls"],
    [["run", "help", "--help"], "Usage: troupe run"],
    [["help"], "Usage: troupe [options] [command]"],
    [["help", "help"], "Usage: troupe [options] [command]"],
    [["help", "--help"], "Usage: troupe [options] [command]"],
  ])("helps %j", async (argv, line) => {
    const { code, out, err } = await tried(argv);
    expect([code, err]).toEqual([0, ""]);
    expect(out.startsWith(line)).toBe(true);
  });

  it("a group of commands alone lists what it is about, with the options of that", async () => {
    const trusted = async () => [{ cwd: "/w/shop", at: 0 }];
    const none = async () => ({ approved: async () => [], answers: async () => [] });
    const troupe = { trusted, agents: none } as unknown as Partial<Troupe>;
    const said = await tried(["trust", "list"], troupe);
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining("/w/shop") });
    expect(await tried(["trust"], troupe)).toEqual(said);
    const json = await tried(["trust", "list", "--format", "json"], troupe);
    expect(await tried(["trust", "--format", "json"], troupe)).toEqual(json);
    for (const argv of [
      ["trust", "--help"],
      ["help", "trust"],
    ])
      expect((await tried(argv, troupe)).out).toContain("Usage: troupe trust [options] [command]");
    expect(await tried(["engine"], troupe)).toMatchObject({ code: 1 });
  });

  it("closes what it opened, also after a fault", async () => {
    let closed = 0;
    const close = async () => void closed++;
    const status = () => Promise.reject(new Error("boom"));
    expect((await tried(["status", "r1"], { status, close })).code).toBe(4);
    expect(closed).toBe(1);
  });

  it("prints the schema of workflow files", async () => {
    const { code, out } = await tried(["schema"]);
    expect([code, JSON.parse(out)]).toMatchObject([0, { title: "Troupe workflow", type: "object" }]);
  });
});
