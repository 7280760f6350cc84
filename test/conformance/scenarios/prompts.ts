/** Prompts: their updates, their ends, and what ends them. */
import { expect } from "vitest";
import { faultOf } from "../../support/acp-schema.ts";
import { scenario } from "../scenario.ts";
import type { Answer, Message } from "../wire.ts";
import { CANCELLED, END_TURN, running } from "./turns.ts";

const codeOf = ({ error }: Answer): number | undefined => error?.code;
const isCommands = (kind: string): boolean => kind === "available_commands_update";
/** The kinds of updates, in the order of their first occurrence. */
const firsts = (kinds: readonly string[]): string[] => [...new Set(kinds)];

scenario("S6", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  const line = '{"jsonrpc":"2.0","id":1,"result":{"stopReason":"refusal"}}\\n';
  const text = line.repeat(Math.ceil((600 * 1024) / line.length));
  const prompt = [
    { type: "text", text: "/told what=" },
    { type: "resource", resource: { uri: "file:///notes.md", text } },
  ];
  const sent = wire.request("session/prompt", { sessionId: session, prompt });
  expect(await sent).toMatchObject(END_TURN);
  const chunks = wire.updates(session).filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
  const said = chunks.map(({ content }) => (content as { text: string }).text).join("");
  expect(said.includes(text)).toBe(true);
  wire.show("session/prompt", "~agent_message_chunk", "=session/prompt");
  wire.say(`(${text.length} characters that look like messages, said by the agent as they were sent)`);
});

scenario("S7", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  const { answer } = await running(wire, session);
  expect(await wire.prompt(session, "/hello")).toMatchObject({
    error: { code: -32602, data: { reason: "prompt_in_flight", sessionId: session } },
  });
  wire.notify("session/cancel", { sessionId: session });
  expect(await answer).toMatchObject(CANCELLED);
  wire.show("session/prompt", "session/prompt", "=session/prompt", "session/cancel", "=session/prompt");
});

scenario("S13", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  expect(await wire.prompt(session, "/hello")).toMatchObject(END_TURN);
  wire.show("session/prompt", "~agent_message_chunk", "=session/prompt");
  const { answer } = await running(wire, session);
  wire.mark();
  const cancelled = wire.trace.length;
  wire.notify("session/cancel", { sessionId: session });
  expect(await answer).toMatchObject(CANCELLED);
  const closing = wire.kinds(session, cancelled).filter((kind) => !isCommands(kind));
  wire.show("session/cancel");
  if (stage.isSki) expect(closing).toEqual([]);
  else {
    expect(closing).toContain("tool_call_update");
    wire.show("~tool_call_update");
  }
  wire.show("=session/prompt");
  const answered = wire.trace.length;
  await wire.request("session/list", { cwd: "/nowhere" }); // its answer comes after everything sent before
  expect(wire.kinds(session, answered).filter((kind) => !isCommands(kind))).toEqual([]);
});

scenario("S42", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  expect(await wire.prompt(session, "/works")).toMatchObject(END_TURN);
  const kinds = wire.kinds(session).filter((kind) => kind.startsWith("tool") || kind === "agent_message_chunk");
  expect(firsts(kinds)).toEqual(["tool_call", "tool_call_update", "agent_message_chunk"]);
  expect(kinds.lastIndexOf("tool_call_update")).toBeLessThan(kinds.indexOf("agent_message_chunk"));
  wire.show("session/prompt", "~tool_call", "~tool_call_update", "~agent_message_chunk", "=session/prompt");
});

scenario("S43", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  await wire.told(session);
  const from = wire.trace.length;
  wire.mark();
  expect(await wire.prompt(session, "/works")).toMatchObject(END_TURN);
  const seen = firsts(wire.kinds(session, from).filter((kind) => kind !== "session_info_update"));
  expect(seen.slice(0, 3)).toEqual(["available_commands_update", "plan", "tool_call"]);
  wire.show("session/prompt", "~available_commands_update", "~plan", "~tool_call", "=session/prompt");
});

scenario("S44", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  await wire.prompt(session, "/works");
  const cards = wire.updates(session).filter(({ sessionUpdate }) => String(sessionUpdate).startsWith("tool_call"));
  const whole: Message = Object.assign({}, ...cards);
  expect(whole).toMatchObject({
    kind: "read",
    status: "completed",
    locations: [{ path: expect.stringContaining("notes.md"), line: 3 }],
    content: expect.any(Array),
    rawInput: { path: "notes.md" },
    rawOutput: { lines: 3 },
  });
  const partial = cards.filter(({ sessionUpdate }) => sessionUpdate === "tool_call_update");
  expect(partial.length).toBeGreaterThan(0);
  for (const update of partial) expect(update).not.toHaveProperty("rawInput");
  wire.show("~tool_call", "~tool_call_update");
});

scenario("S45", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  const text = { type: "text", text: "/told what=" };
  const link = { type: "resource_link", uri: "file:///notes.md", name: "notes.md" };
  const ask = (block: object) => wire.request("session/prompt", { sessionId: session, prompt: [text, block] });
  const stopReason = stage.isSki ? "refusal" : "end_turn";
  const refused = { stopReason, _meta: { "troupe/error": { code: "USER.PROMPT.UNSUPPORTED_BLOCK" } } };
  expect(await ask(link)).toMatchObject(END_TURN);
  await wire.hears("file:///notes.md");
  wire.show("session/prompt", "~agent_message_chunk", "=session/prompt");
  for (const type of ["image", "audio"]) {
    expect(await ask({ type, data: "aGk=", mimeType: `${type}/x` })).toMatchObject({ result: refused });
    wire.show("session/prompt", "~agent_message_chunk", "=session/prompt");
  }
  const embed = (resource: object) => ask({ type: "resource", resource });
  expect(await embed({ uri: "file:///w/notes.md", text: "one\n```\ntwo" })).toMatchObject(END_TURN);
  await wire.hears("[notes.md](file:///w/notes.md)\\n````\\none\\n```\\ntwo\\n````");
  expect(await embed({ uri: "file:///w/x", blob: "aGk=" })).toMatchObject({
    result: refused,
  });
  const told: unknown[] = [];
  const { client, shown } = await stage.probe({ onUpdate: (update) => void told.push(update) });
  const blocks = [
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "audio", data: "aGk=", mimeType: "audio/wav" },
    link,
    { type: "text", text: "words" },
  ];
  const updates = blocks.map((content) => ({ sessionUpdate: "agent_message_chunk", content }));
  const probing = await client.newSession({ cwd: stage.cwd });
  await probing.prompt(JSON.stringify(updates.map((update) => ({ update }))));
  expect(told).toEqual(updates);
  stage.say("Troupe's client hands on:");
  for (const _ of blocks) shown.show("~agent_message_chunk");
});

const DISCRIMINATOR = "sessionUpdate";
scenario("S46", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  await wire.prompt(session, "/works");
  await wire.result("session/set_mode", { sessionId: session, modeId: "reviewer" });
  await wire.hears("config_option_update");
  await wire.told(session);
  const required: { [kind: string]: string[] } = {
    plan: ["entries"],
    tool_call: ["toolCallId", "title"],
    tool_call_update: ["toolCallId"],
    agent_message_chunk: ["content"],
    current_mode_update: ["currentModeId"],
    config_option_update: ["configOptions"],
    available_commands_update: ["availableCommands"],
  };
  const seen = wire.updates(session);
  for (const [kind, fields] of Object.entries(required)) {
    const update = seen.find((one) => one[DISCRIMINATOR] === kind);
    if (update === undefined) throw new Error(`there was no ${kind}`);
    expect(faultOf("SessionUpdate", update)).toBeNull();
    // The schema check finds a missing one.
    for (const field of fields) expect(faultOf("SessionUpdate", { ...update, [field]: undefined })).not.toBeNull();
    wire.say(`${kind}: ${fields.join(", ")}`);
  }
});

/** Updates of Troupe's agent that Troupe's client has read and written again are those that came over the wire. */
const roundTrip = (id: string, kinds: readonly string[]) =>
  scenario(id, async (stage) => {
    const read: Message[] = [];
    const { client, tap } = await stage.client({ onUpdate: (update) => void read.push(update as Message) });
    const session = await client.newSession({ cwd: stage.cwd });
    await session.prompt("/works");
    await client.calls.request("session/set_mode", { sessionId: session.id, modeId: "reviewer" });
    await tap.sees(({ message }) => JSON.stringify(message).includes("config_option_update"));
    await tap.sees(({ message }) => JSON.stringify(message).includes("available_commands_update"));
    await client.calls.request("session/list", { cwd: "/nowhere" });
    const shown = stage.shown(tap.trace);
    const onWire = tap.trace.flatMap(({ message }) =>
      message["method"] === "session/update" ? [(message["params"] as { update: Message }).update] : [],
    );
    for (const kind of kinds) {
      const of = (updates: Message[]) => updates.filter((one) => one[DISCRIMINATOR] === kind);
      expect(of(onWire).length).toBeGreaterThan(0);
      expect(of(read).map((one) => JSON.parse(JSON.stringify(one)))).toEqual(of(onWire));
      const index = tap.trace.findIndex(({ message }) => JSON.stringify(message).includes(`"${kind}"`));
      stage.shown(tap.trace.slice(index)).show(`~${kind}`);
    }
    void shown;
  });
roundTrip("S47", ["tool_call_update", "agent_message_chunk"]);
roundTrip("S55", ["available_commands_update", "current_mode_update"]);

scenario("S48", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  await wire.told(session);
  const from = wire.trace.length;
  expect(await wire.prompt(session, "/works")).toMatchObject(END_TURN);
  const told = wire.kinds(session, from).filter((kind) => !isCommands(kind));
  const kinds = firsts(told.filter((kind) => kind !== "session_info_update"));
  expect(told).toContain("session_info_update");
  const common = ["plan", "agent_thought_chunk", "tool_call", "tool_call_update"];
  const words = (kind: string): boolean => kind !== "agent_thought_chunk";
  if (stage.isSki) expect(kinds).toEqual([...common.filter(words), "agent_thought_chunk", "agent_message_chunk"]);
  else expect(kinds).toEqual([...common, "agent_message_chunk"]);
  wire.say(`kinds in the order of their first: ${kinds.join(", ")}; the end: end_turn`);
});

scenario("S58", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.elsewhere());
  await wire.prompt(session, "/hello");
  const told = wire.updates(session).filter(({ sessionUpdate }) => sessionUpdate === "session_info_update");
  expect(told).toMatchObject([{ title: "/hello", updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) }]);
  wire.show("session/prompt", "~session_info_update", "=session/prompt");
});

scenario("S59", async (stage) => {
  const wire = await stage.wire();
  const [one, other] = [await wire.open(stage.cwd), await wire.open(stage.cwd)];
  const [first, second] = [await running(wire, one), await running(wire, other)];
  wire.mark();
  wire.notify("$/cancel_request", { requestId: first.id });
  expect(codeOf(await first.answer)).toBe(-32800);
  const { result } = await wire.request("session/list", { cwd: stage.cwd });
  const states = (result as { sessions: Message[] }).sessions
    .filter(({ sessionId }) => sessionId === one || sessionId === other)
    .map(({ sessionId, _meta }) => [sessionId, (_meta as Message)["troupe/state"]]);
  expect(states.find(([id]) => id === other)?.[1]).toBe("running");
  wire.notify("session/cancel", { sessionId: other });
  expect(await second.answer).toMatchObject(CANCELLED);
  wire.show("$/cancel_request", "=session/prompt", "session/cancel", "=session/prompt");
});

scenario("S61", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  const { id, answer } = await running(wire, session);
  wire.notify("$/cancel_request", { requestId: id });
  expect(codeOf(await answer)).toBe(-32800);
  expect(await wire.prompt(session, "/hello")).toMatchObject(END_TURN);
  wire.show("session/prompt", "$/cancel_request", "=session/prompt", "session/prompt", "=session/prompt");
});
