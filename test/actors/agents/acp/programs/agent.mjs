// An ACP agent for tests, on the official SDK. What it is asked says what it does; a file beside it is its memory.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

const MEMORY = process.env.AGENT_MEMORY;
const can = (process.env.AGENT_CAN ?? "load,resume").split(",");
const sessions = new Map();
const cancelled = new Map();
if (MEMORY && existsSync(MEMORY))
  for (const id of readFileSync(MEMORY, "utf8").split("\n")) if (id) sessions.set(id, {});
const note = (line) => process.env.AGENT_LOG && appendFileSync(process.env.AGENT_LOG, `${line}\n`);
note(`start ${process.pid}`);
// Ways to sign in: "key" by the protocol, "term" in a terminal. A file says that somebody has.
const AUTH = process.env.AGENT_AUTH;
if (process.argv.includes("--login")) {
  process.stdout.write(`token for ${process.env.AGENT_REALM}:\n`);
  const code = await new Promise((resolve) => {
    process.stdin.once("data", (line) => resolve(String(line).trim() === "open" ? 0 : 4));
    process.stdin.once("end", () => resolve(5));
  });
  if (code === 0) writeFileSync(AUTH, "in");
  process.exit(code);
}
const ways = (process.env.AGENT_WAYS ?? "").split(",").filter((way) => way !== "");
const methodOf = (id) =>
  id === "term"
    ? { id, name: "In a terminal", type: "terminal", args: ["--login"], env: { AGENT_REALM: "home" } }
    : { id, name: `By ${id}`, description: `with your ${id}` };

async function play(word, rest, { client, sessionId, update }) {
  const call = { toolCallId: `t${Math.random()}`.slice(0, 8) };
  const request = (method, params) => client.request(method, { sessionId, ...params });
  const outcome = (promise) =>
    promise.then(
      (value) => JSON.stringify(value),
      (error) => `${error.code} ${error.message}`,
    );
  switch (word) {
    case "say":
      return update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: rest } });
    case "think":
      return update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: rest } });
    case "plan":
      return update({ sessionUpdate: "plan", entries: [{ content: rest, priority: "high", status: "in_progress" }] });
    case "endless":
      return update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "0".repeat(11 << 20) } });
    case "odd":
      return update({ sessionUpdate: "weather_update", sky: rest });
    case "usage":
      return update({
        sessionUpdate: "usage_update",
        used: 10,
        size: 100,
        cost: { amount: Number(rest || 0.5), currency: "USD" },
      });
    case "context":
      return update({ sessionUpdate: "usage_update", used: Number(rest), size: 100 });
    case "edit":
    case "ask": {
      const kind = word === "edit" ? "edit" : "execute";
      const rawInput = word === "edit" ? { path: rest } : { command: rest };
      const locations = word === "edit" ? [{ path: rest }] : [];
      await update({
        sessionUpdate: "tool_call",
        ...call,
        title: `Just ${word}`,
        name: word,
        kind,
        status: "pending",
        rawInput,
        locations,
      });
      const { outcome } = await request(methods.client.session.requestPermission, {
        toolCall: { ...call, title: `Just ${word}` },
        options: [
          { optionId: "yes!", name: "Reject", kind: "allow_always" },
          { optionId: "once", name: "Reject", kind: "allow_once" },
          { optionId: "no", name: "Allow", kind: "reject_once" },
        ],
      });
      const chosen = outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
      const status = chosen === "once" ? "completed" : "failed";
      const content = [{ type: "content", content: { type: "text", text: `chose ${chosen}` } }];
      return update({ sessionUpdate: "tool_call_update", ...call, status, content });
    }
    case "diff": {
      const oldText = existsSync(rest) ? readFileSync(rest, "utf8") : null;
      const { outcome } = await request(methods.client.session.requestPermission, {
        toolCall: {
          ...call,
          title: "Change it",
          kind: "edit",
          content: [{ type: "diff", path: rest, oldText, newText: "written" }],
        },
        options: [
          { optionId: "once", name: "Allow", kind: "allow_once" },
          { optionId: "no", name: "Reject", kind: "reject_once" },
        ],
      });
      return play("say", outcome.optionId ?? outcome.outcome, { client, sessionId, update });
    }
    case "swap": {
      const [path, oldText, newText] = rest.split(" ");
      const { outcome } = await request(methods.client.session.requestPermission, {
        toolCall: {
          ...call,
          title: "Swap",
          kind: "edit",
          rawInput: { file_path: path, old_string: oldText, new_string: newText },
        },
        options: [
          { optionId: "once", name: "Allow", kind: "allow_once" },
          { optionId: "no", name: "Reject", kind: "reject_once" },
        ],
      });
      if (outcome.optionId !== "once") return play("say", "no", { client, sessionId, update });
      const content = readFileSync(path, "utf8").replace(oldText, newText);
      await request(methods.client.fs.writeTextFile, { path, content });
      return play("say", "swapped", { client, sessionId, update });
    }
    case "surprise": {
      const options = [
        { optionId: "once", name: "Allow", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ];
      await request(methods.client.session.requestPermission, {
        toolCall: { toolCallId: "t1", title: rest, kind: "execute", rawInput: rest ? { command: rest } : null },
        options,
      });
      return play("say", "as you say", { client, sessionId, update });
    }
    case "offer": {
      const { outcome } = await request(methods.client.session.requestPermission, {
        toolCall: { toolCallId: "t1", title: "Do it", kind: "execute", rawInput: { command: "ls" } },
        options: rest.split(" ").flatMap((kind) => (kind === "" ? [] : [{ optionId: kind, name: "Go", kind }])),
      });
      return play("say", outcome.optionId ?? outcome.outcome, { client, sessionId, update });
    }
    case "shell":
      await update({ sessionUpdate: "tool_call", toolCallId: "t1", title: rest, kind: "execute", status: "pending" });
      for (const data of ["one\n", "two\n"])
        await update({
          sessionUpdate: "tool_call_update",
          toolCallId: "t1",
          _meta: { terminal_output_delta: { data, terminal_id: "t1" } },
        });
      return update({
        sessionUpdate: "tool_call_update",
        toolCallId: "t1",
        status: process.env.AGENT_ENDS ?? "completed",
      });
    case "read":
      return play("say", await outcome(request(methods.client.fs.readTextFile, { path: rest })), {
        client,
        sessionId,
        update,
      });
    case "write":
      return play("say", await outcome(request(methods.client.fs.writeTextFile, { path: rest, content: "written" })), {
        client,
        sessionId,
        update,
      });
    case "run": {
      const asked = { command: "sh", args: ["-c", rest] };
      const made = await request(methods.client.terminal.create, asked).catch(
        (error) => `${error.code} ${error.message}`,
      );
      if (typeof made === "string") return play("say", made, { client, sessionId, update });
      await request(methods.client.terminal.waitForExit, made);
      const { output } = await request(methods.client.terminal.output, made);
      await request(methods.client.terminal.release, made);
      return play("say", output.trim(), { client, sessionId, update });
    }
    case "exec":
      return play("say", spawnSync("sh", ["-c", rest], { encoding: "utf8" }).stdout, { client, sessionId, update });
    case "env":
      return play("say", JSON.stringify({ argv: process.argv.slice(2), env: Object.keys(process.env).sort() }), {
        client,
        sessionId,
        update,
      });
    case "servers":
      return play("say", JSON.stringify(sessions.get(sessionId).mcpServers), { client, sessionId, update });
    case "tool":
      return play("say", await toolOf(sessions.get(sessionId).mcpServers.find(({ name }) => name === rest)), {
        client,
        sessionId,
        update,
      });
    case "die":
      process.stderr.write("out of luck\n");
      return process.exit(9);
    case "auth":
      throw new RequestError(-32000, "Authentication required");
    case "fail":
      throw new RequestError(-32603, `failed: ${rest}`, { details: rest });
    case "limit":
      throw new RequestError(-32603, "Internal error", { details: "HTTP 429 Too Many Requests" });
    case "wait":
      return new Promise((resolve) => cancelled.set(sessionId, resolve));
    default:
      throw new Error(`no word ${word}`);
  }
}

/** What the tool `ping` of a server says, asked as a client of MCP. */
function toolOf({ command, args, env }) {
  const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const child = spawn(command, args, { env: { ...process.env, ...given }, stdio: ["pipe", "pipe", "ignore"] });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "test", version: "1" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(`error ${error.message}`));
    child.on("exit", () => resolve("gone"));
    child.stdin.on("error", () => undefined);
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { id, result, error } = JSON.parse(line);
      if (id === 1) {
        send({ method: "notifications/initialized" });
        send({ id: 2, method: "tools/call", params: { name: "ping", arguments: {} } });
      }
      if (id !== 2) return;
      resolve(result?.content?.[0]?.text ?? JSON.stringify(error));
      child.kill();
    });
  });
}

const opened = (id, params) => {
  sessions.set(id, params);
  if (MEMORY) writeFileSync(MEMORY, [...sessions.keys()].join("\n"));
  const options = ["small", "large"].map((value) => ({ value, name: value }));
  return {
    configOptions: [{ id: "llm", name: "Model", category: "model", type: "select", currentValue: "small", options }],
  };
};
const known = ({ sessionId, ...params }) => {
  if (!sessions.has(sessionId)) throw new RequestError(-32002, "Resource not found: no such session");
  return opened(sessionId, params);
};

agent({ name: "test" })
  .onRequest(methods.agent.initialize, ({ params }) =>
    can.includes("mute")
      ? new Promise(() => undefined)
      : {
          protocolVersion: 1,
          ...(process.env.AGENT_NAME ? { agentInfo: { name: process.env.AGENT_NAME, version: "1" } } : {}),
          authMethods: ways
            .filter((way) => way !== "term" || params.clientCapabilities?.auth?.terminal === true)
            .map(methodOf),
          agentCapabilities: {
            loadSession: can.includes("load"),
            promptCapabilities: { image: can.includes("see"), audio: can.includes("hear") },
            mcpCapabilities: { http: can.includes("http"), sse: false },
            sessionCapabilities: {
              ...(can.includes("resume") ? { resume: {} } : {}),
              ...(can.includes("folders") ? { additionalDirectories: {} } : {}),
            },
          },
        },
  )
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (AUTH && !existsSync(AUTH)) throw RequestError.authRequired();
    if (can.includes("nothing")) return new Promise(() => undefined);
    const sessionId = `s${sessions.size + 1}`;
    note([`new ${sessionId}`, ...(params.additionalDirectories ?? [])].join(" "));
    return { sessionId, ...opened(sessionId, params) };
  })
  .onRequest(methods.agent.authenticate, ({ params }) => {
    note(`authenticate ${params.methodId}`);
    writeFileSync(AUTH, "in");
    return {};
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    note(`load ${params.sessionId}`);
    const answer = known(params);
    const content = { type: "text", text: "said long ago" };
    await client.notify(methods.client.session.update, {
      sessionId: params.sessionId,
      update: { sessionUpdate: "agent_message_chunk", content },
    });
    return answer;
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    note([`resume ${params.sessionId}`, ...(params.additionalDirectories ?? [])].join(" "));
    return known(params);
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    note(`set ${params.configId} ${params.value}`);
    if (can.includes("stubborn")) return new Promise(() => undefined);
    return { configOptions: [] };
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    note(`prompt ${sessionId}`);
    const update = (one) => client.notify(methods.client.session.update, { sessionId, update: one });
    for (const { text, type, mimeType, data } of prompt) {
      if (type !== "text") await play("say", `${type} ${mimeType} ${data}`, { client, sessionId, update });
      else if (text.startsWith("<")) await play("say", text, { client, sessionId, update });
      else
        for (const line of text.split("\n")) {
          const [, word, rest] = /^(\w+) ?(.*)$/.exec(line) ?? [];
          if (word === "spend") return { stopReason: "end_turn", ...JSON.parse(rest) };
          if (word === "stop") return { stopReason: rest };
          if ((await play(word, rest, { client, sessionId, update })) === "cancelled")
            return { stopReason: "cancelled" };
        }
    }
    return { stopReason: "end_turn" };
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    note(`cancel ${params.sessionId}`);
    if (!can.includes("deaf")) cancelled.get(params.sessionId)?.("cancelled");
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
process.stdin.on("close", () => process.exit(0));
