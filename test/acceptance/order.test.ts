/**
 * The order in which an editor hears what belongs to a prompt, however slow the reader on either side is.
 *
 * O1. No update of a turn comes after the prompt's answer, and none is missing before it.
 * O2. No message about a session precedes the answer that names it.
 * O3. What a load replays comes before its answer.
 * O4. A cancel is about the prompt before it, never about the one after it.
 */
import { PassThrough } from "node:stream";
import { mergeMap, Observable } from "rxjs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTroupe, type Session, type Troupe } from "../../actors/troupe.ts";
import type { Frame } from "../../machines/exchange.ts";
import { serveAcp } from "../../transports/acp/stdio.ts";
import { Editor, type Message, saidIn, updatesOf } from "../support/acp-editor.ts";
import type { Sent } from "../support/acp-schema.ts";
import { TestClock } from "../support/host.ts";
import { type House, openHouse } from "../support/house.ts";

const DELAY_MS = 1_000;
const WORDS = "a word after a word after a word after a word. ".repeat(20_000);
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/talkative.yaml", "acceptance/hello.yaml"]);
});
afterEach(async () => {
  await house.leave();
});

/** The place in a trace of the answer to the first request of this method. */
function answerAt(trace: readonly Sent[], method: string): number {
  const asked = trace.find(({ message }) => message["method"] === method)?.message["id"];
  return trace.findIndex(({ from, message }) => from === "agent" && message["id"] === asked && !("method" in message));
}
/** The updates after a place, without commands, which may be announced at any time. */
const after = (trace: readonly Sent[], at: number): Message[] =>
  updatesOf(trace)
    .filter((one) => one.at > at && one.update["sessionUpdate"] !== "available_commands_update")
    .map(({ update }) => update);

/** Expects all the text, once. A failure shows only the part that differs. */
function expectAll(said: string): void {
  expect(said.startsWith(WORDS)).toBe(true);
  expect(said.slice(WORDS.length, WORDS.length + 100).trim()).toBe("That was all.");
}

/** Resolves when the log of a session holds the end of a turn, whichever process writes it. */
function turnEnded(session: Session): Promise<void> {
  return new Promise((resolve) => {
    const following = session.log$().subscribe((frames) => {
      if (!frames.some((frame) => frame.type === "turn.completed")) return;
      setImmediate(() => following.unsubscribe());
      resolve();
    });
  });
}

test("a follower that is a second late delays the answer, not the order (O1, O2)", async () => {
  const clock = new TestClock();
  const troupe = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" } });
  const ended = Promise.withResolvers<void>();
  const late = (session: Session): Session => ({
    id: session.id,
    cwd: session.cwd,
    title: () => session.title(),
    since: (at) => session.since(at),
    head: () => session.head(),
    rows: (from, limit) => session.rows(from, limit),
    interrupted: () => session.interrupted(),
    attend: (viewer) => {
      void turnEnded(session).then(ended.resolve);
      return session.attend(viewer);
    },
    log$: (options) =>
      session.log$(options).pipe(
        mergeMap(
          (frames) =>
            new Observable<readonly Frame[]>((reader) => {
              clock.after(DELAY_MS, () => {
                reader.next(frames);
                reader.complete();
              });
            }),
        ),
      ),
    prompt: (request) => session.prompt(request),
    run: (request) => session.run(request),
    rerun: (run, request) => session.rerun(run, request),
    resume: (recover) => session.resume(recover),
    missing: (blocks) => session.missing(blocks),
    options: () => session.options(),
    choose: (option, value) => session.choose(option, value),
    questions: () => session.questions(),
    answer: (question, text) => session.answer(question, text),
    decide: (permission, option) => session.decide(permission, option),
    tell: (request) => session.tell(request),
    cancel: () => session.cancel(),
    ended: () => session.ended(),
    forget: () => session.forget(),
    close: () => session.close(),
  });
  const input = new PassThrough();
  const output = new PassThrough();
  const trace: Sent[] = [];
  const heard = new Map<number, PromiseWithResolvers<Message>>();
  let rest = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      trace.push({ from: "agent", message });
      heard.get(message["id"] as number)?.resolve(message);
    }
  });
  const request = (id: number, method: string, params: object): Promise<Message> => {
    const message = { jsonrpc: "2.0", id, method, params };
    const answered = Promise.withResolvers<Message>();
    heard.set(id, answered); // `initialize` is answered while it is written
    trace.push({ from: "client", message });
    input.write(`${JSON.stringify(message)}\n`);
    return answered.promise;
  };
  const served = serveAcp({
    input,
    output,
    version: "0",
    open: async (): Promise<Troupe> => ({
      as: (principal) => troupe.as(principal),
      warm: (cwd) => troupe.warm(cwd),
      list: (cwd) => troupe.list(cwd),
      validate: (cwd, identifier) => troupe.validate(cwd, identifier),
      machines: (run) => troupe.machines(run),
      warnings: (cwd) => troupe.warnings(cwd),
      agents: (cwd) => troupe.agents(cwd),
      promptFile: (cwd, value) => troupe.promptFile(cwd, value),
      status: (run) => troupe.status(run),
      find: (name, options) => troupe.find(name, options),
      log: (run) => troupe.log(run),
      history: (query) => troupe.history(query),
      watchRuns: (changed) => troupe.watchRuns(changed),
      project: (cwd) => troupe.project(cwd),
      isTrusted: (cwd) => troupe.isTrusted(cwd),
      trusted: () => troupe.trusted(),
      giveTrust: (cwd) => troupe.giveTrust(cwd),
      packs: (cwd) => troupe.packs(cwd),
      schedules: () => troupe.schedules(),
      checkup: (cwd) => troupe.checkup(cwd),
      collect: (limits, options) => troupe.collect(limits, options),
      revokeTrust: (cwd) => troupe.revokeTrust(cwd),
      session: async (options) => late(await troupe.session(options)),
      open: async (id) => late(await troupe.open(id)),
      fork: async (id, setup) => late(await troupe.fork(id, setup)),
      sessions: (query) => troupe.sessions(query),
      watch: (cwd, changed) => troupe.watch(cwd, changed),
      deleteSession: (id) => troupe.deleteSession(id),
      run: (options) => troupe.run(options),
      rerun: (run, request) => troupe.rerun(run, request),
      resume: (run, options) => troupe.resume(run, options),
      answer: (run, options) => troupe.answer(run, options),
      work: (listening) => troupe.work(listening),
      rest: (signal) => troupe.rest(signal),
      close: () => troupe.close(),
    }),
  });
  await request(1, "initialize", { protocolVersion: 1 });
  const { sessionId } = (await request(2, "session/new", { cwd: house.cwd, mcpServers: [] }))["result"] as {
    sessionId: string;
  };
  const answer = request(3, "session/prompt", { sessionId, prompt: [{ type: "text", text: "/hello" }] });
  await ended.promise;
  await new Promise((resolve) => setImmediate(resolve));
  expect(answerAt(trace, "session/prompt")).toBe(-1);
  expect(after(trace, 0)).toEqual([]);

  clock.advance(DELAY_MS);
  expect((await answer)["result"]).toEqual({ stopReason: "end_turn" });
  input.end();
  await served;
  expect(saidIn(trace.slice(0, answerAt(trace, "session/prompt")))).toBe("Hello was said.");
  expect(after(trace, answerAt(trace, "session/prompt"))).toEqual([]);
  expect(updatesOf(trace)[0]?.at).toBeGreaterThan(answerAt(trace, "session/new"));
});

test("a client that reads nothing until the turn has ended gets everything, then the answer (O1, O3)", async () => {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  const answer = editor.prompt(session, "/talkative");
  await editor.hears("a word");
  editor.agent.child.stdout.pause();
  const onlooker = createTroupe({ environment: house.env });
  await turnEnded(await onlooker.open(session));
  await onlooker.close();
  expect(saidIn(editor.trace)).not.toContain("That was all.");

  editor.agent.child.stdout.resume();
  expect((await answer).result).toEqual({ stopReason: "end_turn" });
  const prompted = editor.trace.length;
  expectAll(saidIn(editor.trace));
  await editor.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  const loaded = editor.trace.length;
  await editor.leave();
  expect(after(editor.trace.slice(0, prompted), answerAt(editor.trace, "session/prompt"))).toEqual([]);
  expectAll(saidIn(editor.trace.slice(prompted, loaded)));
  expect(after(editor.trace, answerAt(editor.trace, "session/load"))).toEqual([]);
});

test("a prompt right after a cancel is not cancelled; a cancel right after it cancels it (O4)", async () => {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await editor.initialize();
  const sessionId = await editor.open(house.cwd);
  const { stdin } = editor.agent.child;
  for (const stopReason of ["end_turn", "cancelled", "end_turn"]) {
    stdin.cork(); // both arrive at once
    if (stopReason === "end_turn") editor.notify("session/cancel", { sessionId });
    const answer = editor.prompt(sessionId, "/hello");
    if (stopReason === "cancelled") editor.notify("session/cancel", { sessionId });
    stdin.uncork();
    expect((await answer).result).toMatchObject({ stopReason });
  }
  await editor.leave();
});
