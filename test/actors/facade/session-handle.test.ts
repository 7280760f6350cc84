/** Who has answered and decided, as the log says it: whoever reached the session, whatever face they use. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Runtime } from "../../../actors/facade/runtime.ts";
import { SessionHandle } from "../../../actors/facade/session-handle.ts";
import { NO_MASKING } from "../../../actors/masking/masking.ts";
import { createTroupe, type Session, type Troupe } from "../../../actors/troupe.ts";
import { type House, openHouse } from "../../support/house.ts";

let house: House;
let user: Troupe;
let ann: Troupe;
beforeEach(() => {
  house = openHouse(["acceptance/talk.yaml", "acceptance/gate.yaml", "acceptance/hello.yaml"]);
  user = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" } });
  ann = user.as("token:ann");
});
afterEach(async () => {
  await user.close();
  await house.leave();
});
const begun = (troupe: Troupe, workflow: string) =>
  troupe.run({ cwd: house.cwd, workflow, inputs: {}, consent: "yes" });
/** Of every answer and decision of a session, in order; null: nobody is named. */
const named = (session: Session): (string | null)[] =>
  session
    .rows(0, 1_000)
    .flatMap((row) =>
      row.type === "input.answered" || row.type === "permission.resolved" ? [row.payload.who ?? null] : [],
    );

test("an answer has the name of its token: by id, as a prompt, of a run", async () => {
  const run = await begun(ann, "talk");
  await run.done;
  const session = await ann.open(run.session.id);
  const [first] = session.questions();
  await session.answer(first?.input ?? "", "one");
  await session.ended();
  await session.prompt({ blocks: [{ type: "text", text: "two" }], consent: "yes" });
  await session.ended();
  await (await ann.answer(run.id, { text: "three" })).done;
  await session.answer(session.questions()[0]?.input ?? "", "", "bob");
  await session.ended();
  expect(named(session)).toEqual(["ann", "ann", "ann", "bob"]);
});

test("the user of this machine is not named", async () => {
  const { session, id, done } = await begun(user, "talk");
  await done;
  await session.prompt({ blocks: [{ type: "text", text: "one" }], consent: "yes" });
  await session.ended();
  await (await user.answer(id, { text: "" })).done;
  expect(named(session)).toEqual([null, null]);
});

test("a decision has it too: of the session, and of who attends it", async () => {
  for (const attends of [false, true]) {
    const session = await ann.session({ cwd: house.cwd });
    const asker = session.attend({ turnBegins: () => undefined });
    const reserved = asker.reserve();
    await reserved.prompt({ blocks: [{ type: "text", text: "/gate" }], consent: "yes" });
    const open = async () => (await ann.history({ open: true, limit: 1 }))[0]?.permissions[0];
    await expect.poll(open).toBeDefined();
    const { permission = "", options = [] } = (await open()) ?? {};
    const option = options.find(({ kind }) => kind.startsWith("allow"))?.id ?? "";
    await (attends ? asker : session).decide(permission, option);
    await reserved.ended;
    reserved.answered();
    asker.leave();
    expect(named(session)).toEqual(["ann"]);
  }
});

test("what comes right after the cancel of a parked run waits until that has ended, and is no answer to it", async () => {
  const { session, done } = await begun(user, "talk");
  for (const said of ["/hello", "some words"]) {
    if (said !== "/hello") await session.prompt({ blocks: [{ type: "text", text: "/talk" }], consent: "yes" });
    await (said === "/hello" ? done : session.ended());
    expect(session.questions()).toHaveLength(1);
    const from = session.head();
    const cancelled = session.cancel();
    await session.prompt({ blocks: [{ type: "text", text: said }], consent: "yes" });
    await Promise.all([cancelled, session.ended()]);
    const rows = session.rows(from, 1_000);
    expect(rows.filter(({ type }) => type === "input.answered")).toEqual([]);
    const before = rows.findIndex(({ type }) => type === "turn.started");
    expect(rows.slice(0, before).map(({ type }) => type)).toContain("run.completed");
    const ends = rows.flatMap((row) => (row.type === "turn.completed" ? [row.payload] : []));
    expect(ends).toMatchObject([said === "/hello" ? { stopReason: "end_turn" } : { stopReason: "refusal" }]);
    expect(JSON.stringify(ends)).not.toContain("USER.RUN.PARKED");
  }
});

test("a cancel where nothing is to be cancelled keeps no prompt waiting", async () => {
  const session = await user.session({ cwd: house.cwd });
  await Promise.all([session.cancel(), session.cancel()]);
  void session.cancel();
  await session.prompt({ blocks: [{ type: "text", text: "/hello" }], consent: "yes" });
  await session.ended();
  expect(session.rows(0, 1_000).at(-1)).toMatchObject({ type: "turn.completed", payload: { stopReason: "end_turn" } });
});

test("secrets that could not be looked up with one prompt are with the next", async () => {
  let looks = 0;
  const sessions = {
    secretNames: () => {
      looks++;
      throw new Error(`the store is busy: ${looks}`);
    },
  };
  const open = { end: Promise.withResolvers(), sent: Promise.withResolvers() };
  const live = { of: () => ({ reserve: () => open, begin: () => undefined, fail: (reason: unknown) => reason }) };
  const runtime = { host: { sessions }, live, mask: NO_MASKING, options: { ids: () => "t" } };
  const session = new SessionHandle(runtime as unknown as Runtime, "s", "/w", "user");
  const run = () =>
    session.run({ workflow: "hello", consent: "nobody", inputs: {} } as unknown as Parameters<typeof session.run>[0]);
  await expect(run()).rejects.toThrow("busy: 1");
  await expect(run()).rejects.toThrow("busy: 2");
});

test("sessions that are prompted at once have titles of their own, and so has a fork", async () => {
  const sessions = await Promise.all([1, 2, 3].map(() => user.session({ cwd: house.cwd })));
  const prompt = (session: Session) =>
    session.prompt({ blocks: [{ type: "text", text: "/hello" }], consent: "yes" }).then(() => session.ended());
  await Promise.all(sessions.map(prompt));
  expect(sessions.map((session) => session.title())).toEqual(["/hello", "/hello (2)", "/hello (3)"]);
  const fork = await user.fork(sessions[1]?.id ?? "");
  expect(fork.title()).toBe("/hello (4)");
  await user.deleteSession(sessions[2]?.id ?? "");
  const last = await user.session({ cwd: house.cwd });
  await prompt(last);
  expect(last.title()).toBe("/hello (5)");
});
