import { describe, expect, it } from "vitest";
import { serverOf } from "../../../machines/mcp/entry.ts";
import { mergeServers, type Named } from "../../../machines/mcp/merge.ts";

const named = (name: string, command: string, pinned?: boolean): Named => ({
  name,
  transport: "stdio",
  command,
  args: [],
  env: {},
  ...(pinned === undefined ? {} : { pinned }),
});
const NONE = { user: [], workflow: [], editor: [] };
const commands = (merged: ReturnType<typeof mergeServers>) =>
  merged.ok ? merged.servers.map((each) => `${each.name}:${each.transport === "stdio" ? each.command : ""}`) : merged;

describe("the servers of an agent", () => {
  it("are one per name: the editor's before the workflow's before the user's (I1, I3)", () => {
    const user = [named("a", "user"), named("b", "user"), named("c", "user")];
    const workflow = [named("d", "workflow"), named("b", "workflow"), named("c", "workflow")];
    const editor = [named("e", "editor"), named("c", "editor"), named("d", "editor")];
    expect(commands(mergeServers({ user, workflow, editor }))).toEqual([
      "a:user",
      "b:workflow",
      "c:editor",
      "d:editor",
      "e:editor",
    ]);
    expect(mergeServers(NONE)).toEqual({ ok: true, servers: [], sources: {} });
  });

  it("that the workflow has pinned go before the user's, and refuse the editor's (I2)", () => {
    const workflow = [named("a", "workflow", true)];
    expect(mergeServers({ ...NONE, workflow, editor: [named("b", "x"), named("a", "evil")] })).toEqual({
      ok: false,
      collision: "a",
    });
    const merged = mergeServers({ ...NONE, user: [named("a", "user")], workflow });
    expect(merged).toEqual({ ok: true, servers: [named("a", "workflow")], sources: { a: "the workflow" } });
  });

  it("may have the name of a property that every object has", () => {
    const user = [named("constructor", "x"), named("__proto__", "y")];
    expect(commands(mergeServers({ ...NONE, user }))).toEqual(["constructor:x", "__proto__:y"]);
  });
});

describe("an entry of mcp_servers", () => {
  it.each([
    [{ command: "x" }, { transport: "stdio", command: "x", args: [], env: {} }],
    [
      { type: "stdio" as const, command: "x", args: ["a", 1, true], env: { N: 7 } },
      { transport: "stdio", command: "x", args: ["a", "1", "true"], env: { N: "7" } },
    ],
    [{ url: "http://h/x" }, { transport: "http", url: "http://h/x", headers: {} }],
    [
      { type: "sse" as const, url: "https://h", headers: { A: "b" } },
      { transport: "sse", url: "https://h", headers: { A: "b" } },
    ],
  ])("%j is a server", (entry, server) => {
    expect(serverOf("s", entry)).toEqual({ ok: true, server: { name: "s", ...server } });
  });

  it.each([
    [{}, "it has neither a command nor a url"],
    [{ command: "x", url: "http://h" }, "it has both a command and a url"],
    [{ type: "http" as const, command: "x" }, "type http needs a url, not a command"],
    [{ type: "stdio" as const, url: "http://h" }, "type stdio needs a command"],
    [{ url: "ftp://h" }, '"ftp://h" is no address'],
    [{ url: "http://h x" }, '"http://h x" is no address'],
  ])("%j is no server", (entry, message) => {
    expect(serverOf("s", entry)).toMatchObject({ ok: false, message });
  });
});
