/**
 * Sessions that outlive their process. Every process here is real, and ends by `kill -9` where a test says so.
 *
 * E1. A parked question survives: another process lists the session and shows all that was said. The next prompt is the
 *     answer, and the same run continues.
 * E2. A permission that was open when the process died is asked anew as soon as any text is sent, and not before: by no
 *     load, also of a client that is asked what the session asks.
 * E3. What an agent had said when its process died is shown, and its step continues as its `recover` says.
 * E4. `session/resume` shows nothing of the past, and the session continues all the same. Of a run that was cut off it
 *     says so, and how to resume it, as a load and an empty prompt do.
 *     An editor that follows what another process runs hears of that one's death, without asking for anything.
 * E6. A folder is one folder, with a slash at its end or without.
 */
import { expect, test } from "vitest";
import { type Editor, type Message, saidIn, updatesOf } from "../support/acp-editor.ts";
import { storedRows } from "../support/house.ts";
import { at, die, enter, furnishOutliving, house, type Info, listed } from "./outliving.ts";

furnishOutliving();

const PARKED = { stopReason: "end_turn", _meta: { "troupe/state": "parked" } };

/** The places of certain events in the log, each counted once. */
const runsOf = (session: string): unknown[] =>
  storedRows(house.store, session)
    .filter(({ type }) => type === "run.started" || type === "run.completed")
    .map(({ type, run }) => [type, run]);
const asked = ({ trace }: Editor): Message[] =>
  trace.flatMap(({ message }) =>
    message["method"] === "session/request_permission" ? [message["params"] as Message] : [],
  );

test("a folder's sessions are listed however its path is spelled (E6)", async () => {
  const editor = await enter();
  for (const cwd of [house.cwd, `${house.cwd}/`, `${house.cwd}/./`])
    await editor.prompt(await editor.open(cwd), "/hello");
  for (const cwd of [house.cwd, `${house.cwd}/`, `/${house.cwd}//`])
    expect(await listed(editor, { cwd })).toMatchObject(Array(3).fill({ cwd: house.cwd }));
});

test("a parked question outlives its process (E1)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  expect((await first.prompt(session, "/talk")).result).toEqual(PARKED);
  expect(saidIn(first.trace)).toContain("Which colour?");
  await die(first);

  const second = await enter();
  const [info] = await listed(second, { cwd: house.cwd });
  expect(info).toMatchObject({ sessionId: session, title: "/talk", _meta: { "troupe/state": "parked" } });
  await second.request("session/load", at(session));
  const shown = updatesOf(second.trace).map(({ update }) => update);
  expect(saidIn(second.trace)).toBe(saidIn(first.trace));
  expect(shown).toContainEqual({ sessionUpdate: "session_info_update", title: "/talk", updatedAt: expect.any(String) });
  expect(shown).toContainEqual(
    expect.objectContaining({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "/talk" } }),
  );

  expect((await second.prompt(session, "blue")).result).toEqual(PARKED);
  expect(saidIn(second.trace)).toContain("So blue it is. Anything else?");
  expect((await second.prompt(session, "")).result).toEqual({ stopReason: "end_turn" });
  expect(saidIn(second.trace)).toContain("The talk is over.");
  expect(await listed(second)).toMatchObject([{ title: "/talk", _meta: { "troupe/state": "idle" } }]);
  const [started, ...rest] = runsOf(session) as [string, string][];
  expect(rest).toEqual([["run.completed", started?.[1]]]);
  expect(await second.leave()).toEqual({ code: 0, signal: null });
});

test("an open permission is asked anew (E2)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  first.decide = () => {
    first.agent.kill();
    return null;
  };
  void first.prompt(session, "/gate");
  await first.agent.ended;
  expect(asked(first)).toHaveLength(1);

  const second = await enter();
  expect(await listed(second)).toMatchObject([{ sessionId: session, _meta: { "troupe/state": "interrupted" } }]);
  await second.request("session/load", at(session));
  expect(asked(second)).toEqual([]);
  const refused = await second.prompt(session, "/hello");
  expect(refused.result).toMatchObject({ _meta: { "troupe/error": { code: "USER.RUN.INTERRUPTED" } } });
  expect(asked(second)).toEqual([]);
  await second.request("session/load", at(session));
  await second.request("session/list", {}); // what the load asks has come by now
  expect(asked(second)).toEqual([]);

  second.decide = ({ options }) => options.find(({ kind }) => kind === "allow_once")?.optionId ?? null;
  expect((await second.prompt(session, "go on")).result).toEqual({ stopReason: "end_turn" });
  const text = expect.stringContaining("May the gate be opened?");
  expect(asked(second)).toMatchObject([{ toolCall: { content: [{ content: { text } }] } }]);
  expect(saidIn(second.trace)).toContain("The gate is open.");
  expect(await second.leave()).toEqual({ code: 0, signal: null });
});

test("who follows a run hears that its process died: its cards end, and it is said once how to resume it (E4)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  first.decide = () => undefined;
  void first.prompt(session, "/gate");
  await first.hears("May the gate be opened?");
  const second = await enter();
  await second.request("session/load", at(session));
  const from = second.trace.length;
  await die(first);
  await second.hears("Send any text to resume it");
  const heard = updatesOf(second.trace.slice(from)).filter(
    ({ update }) => update["sessionUpdate"] !== "available_commands_update",
  );
  expect(heard).toMatchObject([
    { update: { sessionUpdate: "tool_call_update", status: "failed" } },
    { update: { sessionUpdate: "tool_call_update", status: "failed" } },
    { update: { content: { text: "The process that ran this turn ended" } } },
    { update: { content: { text: expect.stringMatching(/^\n\nThe run of "gate" was interrupted\. Send any text/) } } },
  ]);
  second.decide = ({ options }) => options.find(({ kind }) => kind === "allow_once")?.optionId ?? null;
  expect((await second.prompt(session, "go on")).result).toEqual({ stopReason: "end_turn" });
  expect(saidIn(second.trace)).toContain("The gate is open.");
  expect(await second.leave()).toEqual({ code: 0, signal: null });
});

test("an agent that was cut off continues (E3)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  void first.prompt(session, "/cut-off");
  await first.hears("Look it up");
  await die(first);

  const second = await enter();
  expect(await listed(second)).toMatchObject([{ _meta: { "troupe/state": "interrupted" } }]);
  await second.request("session/load", at(session));
  expect(saidIn(second.trace)).toContain("Once upon a time. ");
  expect(JSON.stringify(second.trace)).toContain("Look it up");

  second.decide = ({ options }) => options.find(({ optionId }) => optionId === "rerun")?.optionId ?? null;
  expect((await second.prompt(session, "go on")).result).toEqual({ stopReason: "end_turn" });
  expect(asked(second)).toHaveLength(1);
  expect(saidIn(second.trace)).toContain("And so it ended.");
  expect(saidIn(second.trace)).toContain("The tale is told.");
  expect(runsOf(session)).toHaveLength(2);
  expect(await second.leave()).toEqual({ code: 0, signal: null });
});

test("resume shows nothing of the past, and the session continues (E4)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  await first.prompt(session, "/talk");
  await die(first);

  const second = await enter();
  const { result: resumed } = await second.request("session/resume", at(session));
  expect(Object.keys(resumed as object)).toEqual(["configOptions"]);
  // The title and the plan have come before the answer: after it an editor shows them where the user types.
  expect(updatesOf(second.trace).map(({ update }) => update["sessionUpdate"])).toEqual(["session_info_update", "plan"]);
  // The commands follow. Nothing that was said is repeated.
  await second.hears("available_commands_update");
  const kinds = new Set(updatesOf(second.trace).map(({ update }) => update["sessionUpdate"]));
  expect(kinds).toEqual(new Set(["session_info_update", "plan", "available_commands_update"]));
  expect((await second.prompt(session, "blue")).result).toEqual(PARKED);
  expect(saidIn(second.trace)).toBe("So blue it is. Anything else?");
  expect(updatesOf(second.trace).map(({ update }) => update["sessionUpdate"])).not.toContain("user_message_chunk");
});

test("resume says that a run was cut off, behind what stands, and so does an empty prompt (E4)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  void first.prompt(session, "/cut-off");
  await first.hears("Look it up");
  await die(first);

  const second = await enter();
  await second.request("session/resume", at(session));
  const kinds = updatesOf(second.trace).map(({ update }) => update["sessionUpdate"]);
  expect(kinds.indexOf("agent_message_chunk")).toBeGreaterThan(kinds.indexOf("plan"));
  expect(kinds.lastIndexOf("tool_call")).toBeLessThan(kinds.indexOf("plan"));
  const howTo = /The run of "cut-off" was interrupted.*Send any text to resume it, or cancel it/;
  expect(saidIn(second.trace)).toMatch(howTo);

  const from = second.trace.length;
  const { result } = await second.prompt(session, "");
  expect(result).toMatchObject({ _meta: { "troupe/error": { code: "USER.INPUT.EMPTY" } } });
  expect(saidIn(second.trace.slice(from))).toMatch(/empty.*"cut-off" was interrupted.*Send any text to resume it/);
  expect(saidIn(second.trace.slice(from))).not.toContain("/gate");
});

test("lists are paged across processes, and a cursor is good for its own list alone", async () => {
  const first = await enter();
  const opened: string[] = [];
  for (let i = 0; i < 51; i++) {
    const session = await first.open(house.cwd);
    await first.prompt(session, "/nothing-of-this-name");
    opened.push(session);
  }
  await first.open(house.cwd); // never prompted, never listed
  const page = (await first.request("session/list", { cwd: house.cwd })).result as {
    sessions: Info[];
    nextCursor: string;
  };
  expect(page.sessions).toHaveLength(50);
  await first.leave();

  const second = await enter();
  const rest = (await second.request("session/list", { cwd: house.cwd, cursor: page.nextCursor })).result;
  expect(rest).toMatchObject({ sessions: [{ cwd: house.cwd }], nextCursor: null });
  const all = [...page.sessions, ...(rest as { sessions: Info[] }).sessions].map(({ sessionId }) => sessionId);
  expect(all.toSorted()).toEqual(opened.toSorted());
  const [place = "", seal = ""] = page.nextCursor.split(".");
  for (const params of [
    { cursor: page.nextCursor },
    { cwd: house.root, cursor: page.nextCursor },
    { cwd: house.cwd, cursor: `${place}x.${seal}` },
    { cwd: house.cwd, cursor: place },
    { cwd: house.cwd, cursor: "" },
  ]) {
    const { error } = await second.request("session/list", params);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("cursor") });
  }
  expect(await listed(second, { cwd: house.root })).toEqual([]);
});

test.each(["../../x", "../troupe.db", "a\0b", "x".repeat(4096), "%2e%2e%2fx", "session/x", ""])(
  "the id %j is looked up, never used as a path",
  async (id) => {
    const editor = await enter();
    const session = await editor.open(house.cwd);
    await editor.prompt(session, "/hello");
    for (const method of ["session/load", "session/resume", "session/prompt", "session/close"]) {
      const params = method === "session/prompt" ? { sessionId: id, prompt: [] } : at(id);
      expect((await editor.request(method, params)).error).toMatchObject({ code: -32002 });
    }
    expect(await editor.request("session/delete", { sessionId: id })).toMatchObject({ result: {} });
    expect(await listed(editor)).toMatchObject([{ sessionId: session }]);
  },
);
