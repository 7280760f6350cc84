import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { FramesLog } from "../../../../actors/acp-client/frames/frames-log.ts";
import type { AgentRequest, Launch } from "../../../../actors/agents/agent.ts";
import type { Attachment } from "../../../../actors/attachments/attachments.ts";
import { TroupeError } from "../../../../actors/errors/troupe-error.ts";
import { Masking } from "../../../../actors/masking/masking.ts";
import { withServer } from "../../../../actors/mcp/connect.ts";
import type { McpServer } from "../../../../machines/mcp/server.ts";
import type { Json } from "../../../../machines/model.ts";
import { mcpOver } from "../../../support/mcp-over-http.ts";
import { NO, place, YES } from "./support.ts";

const said = (heard: readonly { type: string }[]) =>
  heard.flatMap((event) => (event.type === "text" ? [(event as { type: string; text: string }).text] : []));

describe("a turn of an ACP agent", () => {
  it("is reported as it happens: thoughts, text, plan, calls, usage; what is not known is counted", async () => {
    const { turn, heard } = place();
    const result = await turn("think Hm.\nsay First.\nplan Look around\nask ls\nusage\nodd blue\nsay Done");
    expect(result).toEqual({ status: "completed", text: "Done", usage: null });
    const call = expect.any(String);
    expect(heard).toEqual([
      { type: "conversation", id: "s1" },
      { type: "thought", text: "Hm." },
      { type: "text", text: "First." },
      { type: "tool", tool: { call: "plan", title: "Plan", kind: "think", status: "in_progress" } },
      { type: "tool", tool: { call: "plan", content: [{ type: "text", text: "[>] Look around" }] } },
      {
        type: "tool",
        tool: { call, title: "Just ask", kind: "execute", status: "pending", input: { command: "ls" } },
      },
      { type: "tool", tool: { call, status: "completed", content: [{ type: "text", text: "chose once" }] } },
      { type: "usage", usage: { used: 10, size: 100, cost: { amount: 0.5, currency: "USD" } } },
      { type: "unknown", value: { sessionUpdate: "weather_update", sky: "blue" } },
      { type: "text", text: "Done" },
      { type: "tool", tool: { call: "plan", status: "completed" } },
    ]);
  });

  it("says that an update which is too long is missing", async () => {
    const { turn, heard } = place();
    expect(await turn("endless\nsay Done")).toMatchObject({ status: "completed", text: "Done" });
    const message =
      "an update of the agent was not read, and what it said is missing: a message may have at most 10485760 characters";
    expect(heard).toContainEqual({ type: "notice", severity: "warning", message });
  });

  it("starts what is configured with nothing added, in the least environment (I1, H12, H13)", async () => {
    const { turn, heard } = place({ env: { OWN: "1" } });
    await turn("env", { options: { env: { GIVEN: "2" } } });
    const { argv, env } = JSON.parse(said(heard).join("")) as { argv: string[]; env: string[] };
    expect(argv).toEqual([]);
    expect(env).toEqual([
      "AGENT_LOG",
      "AGENT_MEMORY",
      "GIVEN",
      "OWN",
      "PATH",
      "TROUPE_DEPTH",
      "TROUPE_OWNER",
      "TROUPE_SCOPE",
    ]);
  });

  it("has the system prompt before the first prompt, and not again", async () => {
    const { turn, heard } = place();
    await turn("say a", { systemPrompt: "Be kind." });
    expect(said(heard)).toEqual(["<instructions>\nBe kind.\n</instructions>", "a"]);
    await turn("say b", { systemPrompt: "Be kind.", conversation: "s1", continues: true });
    expect(said(heard)).toEqual(["b"]);
  });

  it("sets the model that is chosen, and tells what is not offered", async () => {
    const { turn, heard, log } = place();
    const result = await turn("say a", { options: { model: "large", mode: "fast" } });
    expect(result.status).toBe("completed");
    expect(log()).toContain("set llm large");
    expect(heard).toContainEqual({ type: "notice", severity: "warning", message: "the agent has no option for mode" });
    await turn("say a", { options: { model: "larg" } });
    expect(heard).toContainEqual(
      expect.objectContaining({ message: 'the agent offers no model "larg"; did you mean "large"?' }),
    );
  });
});

describe("a question of an ACP agent", () => {
  it("is asked by the call's own fields; the answer is the option of the right kind, whatever it is called (H36)", async () => {
    const { turn, heard, asked } = place();
    await turn("ask rm -rf .");
    expect(asked).toEqual([{ name: "ask", kind: "execute", input: { command: "rm -rf ." }, title: "Just ask" }]);
    expect(JSON.stringify(heard)).toContain("chose once");
    await turn("ask rm -rf .", { answer: NO });
    expect(JSON.stringify(heard)).toContain("chose no");
    await turn("ask rm -rf .", { answer: { allowed: false, message: "", abort: true } });
    expect(JSON.stringify(heard)).toContain("chose cancelled");
  });
});

describe("a question without an option that allows it once", () => {
  it.each([
    ["allow_always reject_once", "reject_once"],
    ["reject_always", "reject_always"],
    ["allow_always", "cancelled"],
    ["", "cancelled"],
  ])("%s: is asked of nobody, and refused in words (I3)", async (offered, answered) => {
    const { turn, heard, asked } = place();
    expect(await turn(`offer ${offered}`)).toMatchObject({ text: answered });
    expect(asked).toEqual([]);
    const message = "the agent offers no way to allow execute once: it was refused, and nobody was asked";
    expect(heard).toContainEqual({ type: "notice", severity: "warning", message });
    const content = [{ type: "text", text: message }];
    expect(heard.at(-1)).toEqual({ type: "tool", tool: { call: "t1", status: "failed", content } });
  });
});

describe("a call that only its question names (I2)", () => {
  it("is reported from the question; a refusal is its end where the agent reports none", async () => {
    const { turn, heard } = place();
    await turn("surprise ls", { answer: NO });
    const named = { call: "t1", status: "pending", title: "ls", kind: "execute", input: { command: "ls" } };
    expect(heard.slice(1)).toEqual([
      { type: "tool", tool: named },
      { type: "text", text: "as you say" },
      { type: "tool", tool: { call: "t1", status: "failed", content: [{ type: "text", text: "no" }] } },
    ]);
    await turn("surprise ls");
    expect(heard.slice(1)).toEqual([
      { type: "tool", tool: named },
      { type: "text", text: "as you say" },
    ]);
  });
});

it.each([
  ["completed", {}],
  ["failed", { content: [{ type: "text", text: "one\ntwo\n" }] }],
])(
  "tells what a command writes to a terminal of its own as it comes, and again only why it %s",
  async (status, said) => {
    const { turn, heard } = place({ env: { AGENT_ENDS: status } });
    await turn("shell ls");
    expect(heard.slice(1)).toEqual([
      { type: "tool", tool: { call: "t1", title: "ls", kind: "execute", status: "pending" } },
      { type: "tool output", call: "t1", text: "one\n" },
      { type: "tool output", call: "t1", text: "two\n" },
      { type: "tool", tool: { call: "t1", status, ...said } },
    ]);
  },
);

describe("the process", () => {
  it("costs a step what its attempt adds to the conversation's cost", async () => {
    const { turn, heard } = place();
    const costs = () => heard.flatMap((event) => (event.type === "usage" ? [event.usage.cost?.amount] : []));
    await turn("usage 0.5");
    expect(costs()).toEqual([0.5]);
    await turn("usage 0.6\nusage 0.75", { conversation: "s1", continues: true });
    expect(costs()).toEqual([0.1, 0.25]);
    await turn("usage 0.1"); // a new conversation
    expect(costs()).toEqual([0.1]);
  });

  it("knows what a conversation has cost before it was started (spent I1)", async () => {
    const { turn, heard, pool } = place();
    const kept = new Map<string, Json[]>();
    const memory = {
      read: async (name: string) => kept.get(name) ?? [],
      add: async (name: string, more: readonly Json[]) => void kept.set(name, [...(kept.get(name) ?? []), ...more]),
    };
    const costs = () => heard.flatMap((event) => (event.type === "usage" ? [event.usage.cost?.amount] : []));
    const goesOn = { conversation: "s1", continues: true, memory };
    await turn("usage 0.5", { memory });
    await pool.close();
    await turn("usage 0.75\ndie", goesOn); // its process dies
    expect(costs()).toEqual([0.25]);
    await turn("usage 0.8", goesOn);
    expect(costs()).toEqual([0.05]);
    await pool.close();
    await turn("usage 0.2\nusage 0.9", goesOn); // it counts anew
    expect(costs()).toEqual([0.2, 0.9]);
  });

  it("serves the next step of its session, also in another conversation, and ends when the session is left (I3)", async () => {
    const { turn, log, pool, running } = place();
    await turn("say a");
    await turn("say b", { conversation: "s1", continues: true });
    await turn("say c");
    expect(log()).toEqual(["start", "new s1", "prompt s1", "prompt s1", "new s2", "prompt s2"]);
    expect(running()).toBe(1);
    await pool.leave("session/s");
    expect(running()).toBe(0);
  });

  it("is another one for another session, another folder or another environment", async () => {
    const { turn, log, root } = place();
    await turn("say a");
    await turn("say a", { warm: { session: "session/t", marker: {} } });
    await turn("say a", { cwd: root });
    await turn("say a", { options: { env: { A: "1" } } });
    expect(log().filter((line) => line === "start")).toHaveLength(4);
  });

  it("serves one step at a time (I1 of the pool)", async () => {
    const { turn, log } = place();
    await Promise.all([turn("run x\nsay a"), turn("say b")]);
    expect(log().filter((line) => line === "start")).toHaveLength(2);
  });

  it("ends after a failure, and the next step starts anew", async () => {
    const { turn, log, running } = place();
    expect(await turn("die")).toMatchObject({
      status: "failed",
      class: "crashed",
      message: expect.stringContaining("out of luck"),
    });
    expect(running()).toBe(0);
    expect(await turn("say a")).toMatchObject({ status: "completed" });
    expect(log().filter((line) => line === "start")).toHaveLength(2);
  });
});

describe("a conversation that outlives its process (I2)", () => {
  test.each([
    ["load,resume", "resume s1"],
    ["load", "load s1"],
  ])("with an agent that can %s: %s, without what was said before", async (can, line) => {
    const { turn, heard, log, pool } = place({ env: { AGENT_CAN: can } });
    await turn("say a");
    await pool.close();
    const result = await turn("say b", { conversation: "s1", continues: true });
    expect(result).toMatchObject({ status: "completed", text: "b" });
    expect(heard).toEqual([{ type: "text", text: "b" }]);
    expect(log()).toContain(line);
  });

  it("is handed the session's other folders, new and continued, and may read there through us", async () => {
    const { root, turn, heard, log, pool, approved } = place({
      env: { AGENT_CAN: "resume,folders" },
      files: "read",
    });
    const other = join(root, "other");
    mkdirSync(other);
    writeFileSync(join(other, "a.txt"), "there");
    const directories = [other];
    expect(await turn(`read ${join(other, "a.txt")}`, { directories })).toMatchObject({ text: '{"content":"there"}' });
    expect(approved[0]?.shown).toMatchObject({ "other folders": directories });
    await pool.close();
    await turn("say b", { directories, conversation: "s1", continues: true });
    expect(log().filter((line) => line.endsWith(other))).toEqual([`new s1 ${other}`, `resume s1 ${other}`]);
    expect(heard.filter(({ type }) => type === "notice")).toEqual([]);
    // In a conversation of its own process: what is open there has the folders that it began with.
    expect(await turn(`read ${join(other, "a.txt")}`)).toMatchObject({ text: expect.stringContaining("-32602") });

    const plain = place();
    await plain.turn("say a", { directories });
    expect(plain.heard).toContainEqual({
      type: "notice",
      severity: "warning",
      message: `the agent takes no folder beside its own: it works without ${other}`,
    });
  });

  it("fails where the agent can do neither, or does not know it", async () => {
    const neither = place({ env: { AGENT_CAN: "" } });
    await neither.turn("say a");
    await neither.pool.close();
    expect(await neither.turn("say b", { conversation: "s1", continues: true })).toMatchObject({
      status: "failed",
      message: "stub: the agent cannot continue an earlier session",
    });
    const { turn, log } = place();
    expect(await turn("say b", { conversation: "s9", continues: true, attempt: 2 })).toMatchObject({
      status: "failed",
      class: "refused",
    });
    expect(log().filter((line) => line.startsWith("new"))).toEqual([]);
  });

  it.each([
    ["does not know it", "load,resume", "the agent does not know the conversation of the attempt before"],
    ["can do neither", "", "the agent cannot continue the conversation of the attempt before"],
  ])(
    "begins anew, in words for that, where a later attempt has the step's own prompt again and the agent %s",
    async (...[, AGENT_CAN, words]) => {
      const { turn, heard, log } = place({ env: { AGENT_CAN } });
      const request = { systemPrompt: "Be kind.", conversation: "s9", attempt: 2 };
      const result = await turn("say b", { ...request, anew: () => "say c" });
      expect(result).toMatchObject({ status: "completed", text: expect.stringMatching(/Be kind.*c$/s) });
      expect(heard).toContainEqual({ type: "conversation", id: "s1" });
      expect(heard).toContainEqual({ type: "notice", severity: "warning", message: `${words}; another one begins` });
      // What is meant for that very conversation is said in no other.
      expect(await turn("say b", request)).toMatchObject({ status: "failed", class: "refused" });
      expect(log().filter((line) => line.startsWith("new"))).toEqual(["new s1"]);
    },
  );
});

describe("files", () => {
  it("are refused where the user did not configure them", async () => {
    const { turn, heard, cwd } = place();
    writeFileSync(join(cwd, "a.txt"), "hello");
    await turn(`read ${cwd}/a.txt\nwrite ${cwd}/b.txt\nrun echo hi`);
    expect(said(heard).map((text) => text.slice(0, 6))).toEqual(["-32601", "-32601", "-32601"]);
    expect(existsSync(join(cwd, "b.txt"))).toBe(false);
  });

  it("may be read where the user allowed that, and not be written", async () => {
    const { turn, heard, cwd } = place({ files: "read" });
    writeFileSync(join(cwd, "a.txt"), "hello");
    await turn(`read ${cwd}/a.txt\nwrite ${cwd}/b.txt`);
    expect(said(heard)).toEqual(['{"content":"hello"}', expect.stringMatching(/^-326/)]);
    expect(existsSync(join(cwd, "b.txt"))).toBe(false);
  });

  it("are read as the rules say: nobody is asked where none speaks of it (I3 of process)", async () => {
    const { turn, heard, asked, cwd } = place({ files: "read" });
    mkdirSync(join(cwd, "secrets"));
    writeFileSync(join(cwd, "a.txt"), "hello");
    writeFileSync(join(cwd, "secrets", "b.txt"), "canary");
    writeFileSync(join(cwd, "secrets", "c.key"), "canary");
    const isSecret: AgentRequest["rules"] = ({ locations = [] }) =>
      locations.some(({ path }) => path.includes("/secrets/")) ? "deny" : "allow";
    const reads = `read ${cwd}/a.txt\nread ${cwd}/secrets/b.txt\nread ${cwd}/secrets/c.key`;
    await turn(reads, { rules: isSecret, answer: NO });
    expect(said(heard).map((text) => text.slice(0, 6))).toEqual(['{"cont', "-32603", "-32603"]);
    // What is denied is refused by the gate, which says so in the log.
    expect(asked.map(({ input }) => input)).toEqual(
      ["b.txt", "c.key"].map((name) => ({ path: `${cwd}/secrets/${name}` })),
    );
  });

  it("that a rule denies are not written, whatever a question has covered (I3 of process)", async () => {
    const { turn, asked, cwd } = place({ files: "write" });
    const path = join(cwd, "b.txt");
    const asks = async (rules: AgentRequest["rules"]) => {
      writeFileSync(path, "one");
      await turn(`diff ${path}\nwrite ${path}`, { rules });
      return asked.map(({ name }) => name);
    };
    expect(await asks(() => "ask")).toEqual(["edit"]);
    expect(await asks(() => "deny")).toEqual(["edit", "fs/write_text_file"]);
  });

  it("are written inside the workspace after a question, and never outside of it, by whatever link (T4, T5)", async () => {
    const { turn, heard, asked, cwd, root } = place({ files: "write" });
    mkdirSync(join(root, "secret"));
    writeFileSync(join(root, "secret", "key"), "canary");
    symlinkSync(join(root, "secret"), join(cwd, "link"));
    symlinkSync(join(root, "new"), join(cwd, "dangling"));
    const outside = [`${cwd}/../secret/key`, `${root}/secret/key`, `${cwd}/link/key`];
    await turn([...outside.map((path) => `read ${path}`), `write ${cwd}/link/key`, `write ${cwd}/dangling`].join("\n"));
    expect(said(heard)).toHaveLength(5);
    expect(said(heard).join()).not.toContain("canary");
    expect(said(heard).every((text) => text.startsWith("-326"))).toBe(true);
    expect(readFileSync(join(root, "secret", "key"), "utf8")).toBe("canary");
    expect(existsSync(join(root, "new"))).toBe(false);

    await turn(`write ${cwd}/b.txt`, { answer: NO });
    expect(asked).toMatchObject([
      {
        name: "fs/write_text_file",
        kind: "edit",
        input: { path: `${cwd}/b.txt` },
        edits: [{ path: `${cwd}/b.txt`, oldText: null, newText: "written" }],
      },
    ]);
    expect(existsSync(join(cwd, "b.txt"))).toBe(false);
    await turn(`write ${cwd}/b.txt`);
    expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("written");
  });

  it("are asked for as the edit of what is on the disk, and again where that has changed (H33)", async () => {
    const { turn, asked, cwd } = place({ files: "write" });
    const path = join(cwd, "b.txt");
    writeFileSync(path, "one");
    const seen: unknown[] = [];
    await turn(`write ${path}`, {
      ask: async ({ edits }) => {
        seen.push(edits);
        if (seen.length === 1) writeFileSync(path, "two");
        return YES;
      },
    });
    expect(asked).toEqual([]);
    expect(seen).toEqual(["one", "two"].map((oldText) => [{ path, oldText, newText: "written" }]));
    expect(readFileSync(path, "utf8")).toBe("written");
  });

  it("a diff in the agent's own question stays one, and covers that very edit and no other (I4, I5; H46)", async () => {
    const { turn, asked, cwd } = place({ files: "write" });
    const path = join(cwd, "b.txt");
    writeFileSync(path, "one");
    const edit = { path, oldText: "one", newText: "written" };
    await turn(`diff ${path}\nwrite ${path}`);
    expect(asked).toEqual([{ name: "edit", kind: "edit", input: {}, title: "Change it", edits: [edit] }]);
    expect(readFileSync(path, "utf8")).toBe("written");

    // What was seen was an edit of another text.
    writeFileSync(path, "one");
    const asks: (string | null | undefined)[] = [];
    await turn(`diff ${path}\nwrite ${path}`, {
      ask: async ({ name, edits }) => {
        asks.push(`${name} ${edits?.[0]?.oldText}`);
        if (asks.length === 1) writeFileSync(path, "two");
        return YES;
      },
    });
    expect(asks).toEqual(["edit one", "fs/write_text_file two"]);
  });

  it("whose edit was named and not shown are asked for as it", async () => {
    const { turn, asked, cwd } = place({ files: "write" });
    await turn(`edit ${cwd}/b.txt\nwrite ${cwd}/b.txt`);
    expect(asked.map(({ name }) => name)).toEqual(["edit", "fs/write_text_file"]);
  });

  it("are shown as edits: with the call that names them, or with a card of their own (I6)", async () => {
    const { turn, heard, cwd } = place({ files: "write" });
    const written = (path: string) => ({ type: "diff", path, oldText: null, newText: "written" });
    await turn(`write ${cwd}/a.txt`);
    expect(heard).toContainEqual({
      type: "tool",
      tool: {
        ...{ call: "fs/write_text_file/1", title: `Write ${cwd}/a.txt`, kind: "edit", status: "completed" },
        locations: [{ path: `${cwd}/a.txt` }],
        content: [written(`${cwd}/a.txt`)],
      },
    });
    await turn(`edit ${cwd}/b.txt\nwrite ${cwd}/b.txt`);
    const [call] = heard.flatMap((event) => (event.type === "tool" ? [event.tool.call] : []));
    expect(heard).toContainEqual({ type: "tool", tool: { call, content: [written(`${cwd}/b.txt`)] } });
  });
});

it("terminals are run where the user allowed that, after a question", async () => {
  const { turn, heard, asked } = place({ terminal: true });
  await turn("run echo hi");
  expect(said(heard)).toEqual(["hi"]);
  expect(asked).toMatchObject([
    { name: "terminal/create", kind: "execute", input: { command: "sh", args: ["-c", "echo hi"] } },
  ]);
  await turn("ask echo one\nrun echo one");
  expect(asked).toHaveLength(1);
  await turn("ask echo one\nrun echo one", { rules: () => "deny" });
  expect(asked).toHaveLength(2);
  await turn("run echo hi", { answer: NO });
  expect(said(heard)).toEqual([expect.stringContaining("not allowed")]);
});

const stdio = (name: string, env = {}): McpServer => ({ name, transport: "stdio", command: "node", args: ["x"], env });
const names = (heard: readonly { type: string }[]) =>
  (JSON.parse(said(heard).join("")) as { name: string }[]).map(({ name }) => name);

it("MCP servers are those that the agent's configuration names and that it can reach", async () => {
  const { turn, heard } = place({ mcpServers: ["a", "far"], mcp: { deny: [], ask: [], secrets: ["a"] } });
  const far: McpServer = { name: "far", transport: "http", url: "http://127.0.0.1:1/", headers: {} };
  await turn("servers", { mcpServers: [stdio("a", { K: "v" }), stdio("b"), far] });
  expect(JSON.parse(said(heard).join(""))).toEqual([
    { name: "a", command: expect.stringMatching(/^\/.*node$/), args: ["x"], env: [{ name: "K", value: "v" }] },
  ]);
  expect(heard).toContainEqual(
    expect.objectContaining({ type: "notice", message: 'the agent cannot reach the MCP server "far" (http)' }),
  );
});

it("what is denied is never passed on, what is asked about and what * alone names only after a yes (H40)", async () => {
  const mcp = { deny: ["bad"], ask: ["web"], secrets: [] };
  const given = ["good", "bad", "web", "other"].map((name) => stdio(name));
  const asking = (...mcpServers: string[]) => {
    const at = place({ mcpServers, mcp });
    return async (yes: boolean) => {
      const asked: unknown[] = [];
      const approve = async ({ what, shown }: Launch): Promise<void> => {
        if (what === "start") return;
        asked.push(
          ...(shown["MCP servers"] as { name: string; from: string }[]).map(({ name, from }) => `${name} ${from}`),
        );
        if (!yes) throw new TroupeError("USER.AGENT.CONSENT_REFUSED", "no");
      };
      await at.turn("servers", {
        mcpServers: given,
        serverSources: { web: "the workflow", other: "the editor" },
        approve,
      });
      return { asked, has: names(at.heard), told: at.heard.some(({ type }) => type === "notice") };
    };
  };
  const named = asking("good", "bad", "web");
  expect(await named(true)).toEqual({ asked: ["web the workflow"], has: ["good", "web"], told: false });
  expect(await named(false)).toEqual({ asked: ["web the workflow"], has: ["good"], told: true });
  const all = asking("good", "*");
  const asked = ["web the workflow", "other the editor"];
  expect(await all(true)).toEqual({ asked, has: ["good", "web", "other"], told: false });
  expect(await all(false)).toEqual({ asked, has: ["good"], told: true });
});

it("a server's credentials stay with us: the agent has a way to it, as long as its process lives (H43)", async () => {
  const { turn, heard, cwd, pool, running } = place({ mcpServers: ["tickets"] });
  const tool = fileURLToPath(new URL("../../../support/model-server/mcp-echo.mjs", import.meta.url));
  const tickets: McpServer = {
    ...{ name: "tickets", transport: "stdio", command: process.execPath, args: [tool] },
    env: { MCP_MARK: "canary-4fe19c" },
  };
  await turn("servers", { mcpServers: [tickets] });
  expect(said(heard).join("")).not.toContain("canary");
  // A connection of the agent's ends with its server's process, and nothing else does.
  const used = { mcpServers: [tickets] };
  const { status } = await turn("tool tickets\ntool tickets\nsay still here", used);
  expect([status, said(heard).join(" ")]).toEqual(["completed", expect.stringMatching(/pong.* pong.* still here/)]);
  await turn("servers", used);
  const [handed] = JSON.parse(said(heard).join("")) as {
    command: string;
    args: string[];
    env: { name: string; value: string }[];
  }[];
  const way: McpServer = {
    ...{ name: "tickets", transport: "stdio", command: handed?.command ?? "", args: handed?.args ?? [] },
    env: Object.fromEntries((handed?.env ?? []).map(({ name, value }) => [name, value])),
  };
  const at = { cwd, environment: process.env, marker: {}, signal: new AbortController().signal };
  const reached = (server: McpServer): Promise<unknown> =>
    withServer(server, at, async (client) => (await client.callTool({ name: "ping", arguments: {} })).content);
  // It is the server itself, and it has its credentials.
  expect(await reached(way)).toEqual([{ type: "text", text: "pong from mcp () env=canary-4fe19c" }]);
  const wrong = { ...way, env: { ...way.env, TROUPE_TOOLS_TOKEN: "0".repeat(64) } } as McpServer;
  await expect(reached(wrong)).rejects.toThrow("cannot be used");
  await pool.close();
  expect(running()).toBe(0);
  await expect(reached(way)).rejects.toThrow("cannot be used");
});

it("a server over HTTP is reached by the same way, with its headers, which the agent does not have (H43)", async () => {
  const far = await mcpOver("canary-51d7aa");
  const { turn, heard, pool } = place({ mcpServers: ["docs"] });
  const headers = { Authorization: "Bearer canary-51d7aa" };
  await turn("servers", { mcpServers: [{ name: "docs", transport: "http", url: far.url, headers }] });
  const handed = said(heard).join("");
  expect(handed).not.toMatch(/canary|http:/);
  await turn("tool docs\ntool docs", { mcpServers: [{ name: "docs", transport: "http", url: far.url, headers }] });
  expect(said(heard).at(-1)).toContain("pong over http as Bearer canary-51d7aa");
  expect(far.methods.slice(0, 3)).toEqual(["initialize", "notifications/initialized", "tools/call"]);
  await pool.close();
});

it("an edit that a question states without a diff is asked about once, as what it writes (H33)", async () => {
  const { turn, asked, heard, cwd } = place({ files: "write" });
  const path = join(cwd, "file.txt");
  writeFileSync(path, "one two three\n");
  await turn(`swap ${path} two 2`);
  expect(asked).toMatchObject([{ kind: "edit", edits: [{ path, oldText: "two", newText: "2" }] }]);
  expect([said(heard).at(-1), readFileSync(path, "utf8")]).toEqual(["swapped", "one 2 three\n"]);
  // Where it stands twice it is another edit than the one that was seen: that is asked about.
  writeFileSync(path, "two two\n");
  await turn(`swap ${path} two 2`);
  expect(asked.map(({ name }) => name)).toEqual(["edit", "fs/write_text_file"]);
});

/** The agent is a process, whose start takes a while on a busy machine. */
const PATIENCE = { timeout: 60_000 };

describe("a cancel", () => {
  it("is passed to the agent, and nothing of it runs afterwards", async () => {
    const { turn, log, running } = place();
    const result = await turn("say a\nwait", { until: (event) => event.type === "text" });
    expect(result).toMatchObject({ status: "failed", class: "cut" });
    expect(log()).toContain("cancel s1");
    expect(running()).toBe(0);
  });

  it("ends an agent that has not said hello yet", async () => {
    const { turn, log, running } = place({ env: { AGENT_CAN: "mute" } });
    const cancelled = vi.waitUntil(() => log().includes("start"), PATIENCE);
    expect(await turn("say a", { cancelled })).toMatchObject({ status: "failed", class: "cut" });
    expect([log(), running()]).toEqual([["start"], 0]);
  }, 15_000); // an agent may take 30 seconds to say hello

  it("ends an agent that does not answer when its model is chosen", async () => {
    const { turn, log, running } = place({ env: { AGENT_CAN: "stubborn" } });
    const cancelled = vi.waitUntil(() => log().includes("set llm large"), PATIENCE);
    const result = await turn("say a", { options: { model: "large" }, cancelled });
    expect(result).toMatchObject({ status: "failed", class: "cut" });
    expect([log().at(-1), running()]).toEqual(["set llm large", 0]);
  }, 15_000); // an answer is waited for a minute

  it("ends an agent that does not listen", async () => {
    const { turn, running } = place({ env: { AGENT_CAN: "deaf" } });
    await turn("say a\nwait", { until: (event) => event.type === "text" });
    expect(running()).toBe(0);
  });
});

describe("a failure", () => {
  test.each([
    ["auth", "auth"],
    ["limit", "rate_limit"],
    ["stop refusal", "refused"],
    ["stop max_tokens", "cut"],
    ["stop max_turn_requests", "cut"],
  ])("%s is of the class %s", async (prompt, kind) => {
    expect(await place().turn(prompt)).toMatchObject({ status: "failed", class: kind });
  });

  it("names what is not installed or not configured", async () => {
    const missing = place({ command: "no-such-agent" }).turn("say a");
    await expect(missing).rejects.toMatchObject({ code: "USER.CLIENT.AGENT_NOT_FOUND" });
    await expect(place().turn("say a", { options: { agent: "stup" } })).rejects.toMatchObject({
      code: "USER.AGENT.INVALID_OPTION",
      message: 'options.agent: there is no agent "stup"; did you mean "stub"? configured: stub',
    });
  });

  it("is not looked for in the working directory (H9)", async () => {
    const { turn, cwd } = place({ command: "evil" });
    writeFileSync(join(cwd, "evil"), "#!/bin/sh\ntouch evil-ran\n", { mode: 0o755 });
    await expect(turn("say a", { env: { PATH: `:.:${process.env["PATH"]}` } })).rejects.toMatchObject({
      code: "USER.CLIENT.AGENT_NOT_FOUND",
    });
    expect(existsSync(join(cwd, "evil-ran"))).toBe(false);
  });
});

describe("what a prompt brings along", () => {
  const attached = (): Attachment[] => [
    { type: "image", id: "1", mimeType: "image/png", data: Buffer.from("a") },
    { type: "audio", id: "2", mimeType: "audio/wav", data: Buffer.from("b") },
  ];
  it("is sent to an agent that takes it", async () => {
    const { turn } = place({ env: { AGENT_CAN: "see,hear" } });
    const text = "what?image image/png YQ==audio audio/wav Yg==";
    expect(await turn("say what?", { attached })).toMatchObject({ status: "completed", text });
  });
  it("is not sent to one that does not: nothing is, and the step fails", async () => {
    const { turn, log } = place({ env: { AGENT_CAN: "see" } });
    expect(await turn("say what?", { attached })).toMatchObject({
      status: "failed",
      class: "refused",
      message: expect.stringContaining('the agent takes no "audio" in a prompt; nothing was sent'),
    });
    expect(log().filter((line) => line.startsWith("prompt"))).toEqual([]);
  });
});

it("keeps the last frames of steps where that is asked for, each with its agent, masked (H56)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-frames-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "frames.ndjson");
  const log = new FramesLog(path, { mask: new Masking([["env/KEY", "canary-52c0d1"]]), now: () => 7 });
  const { turn, pool } = place({}, () => log);
  await Promise.all([turn("say canary-52c0d1 one"), turn("say two")]);
  await pool.close();
  log.close();
  const text = readFileSync(path, "utf8");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { [name: string]: { method?: string } });
  expect(lines.every(({ agent, at }) => String(agent) === "stub" && Number(at) === 7)).toBe(true);
  expect(lines.filter(({ sent }) => sent?.method === "session/prompt")).toHaveLength(2);
  expect(text).toContain("two");
  expect(text).not.toContain("canary");
});

test("an agent is told the span of its step with each prompt, where there is one; its process goes on for the next", async () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-frames-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "frames.ndjson");
  const log = new FramesLog(path, { mask: new Masking([]), now: () => 7 });
  const { turn, pool } = place({}, () => log);
  const spans = ["b", "c"].map((digit) => `00-${"a".repeat(32)}-${digit.repeat(16)}-01`);
  for (const traceparent of spans) await turn("say one", { traceparent });
  await turn("say two");
  await pool.close();
  log.close();
  type Sent = { method?: string; params: { _meta?: object } };
  const sent = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .flatMap((line) => (JSON.parse(line) as { sent?: Sent }).sent ?? []);
  const prompts = sent.filter(({ method }) => method === "session/prompt").map(({ params }) => params._meta);
  expect(prompts).toEqual([...spans.map((traceparent) => ({ traceparent })), undefined]);
  expect(sent.filter(({ method }) => method === "initialize")).toHaveLength(1);
});
