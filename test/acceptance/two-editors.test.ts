/**
 * One session in several editors, each the SDK's own client: on one server, and in processes of their own.
 *
 * E1. A client that joins a running session, by `session/load` or `session/resume`, ends with the same view as the one
 *     that was there: cards with their titles and all of their content, the plan, words of parallel branches in their
 *     cards.
 * E2. A question goes to the client that prompted, and to the next one when that client leaves. Answered elsewhere, it
 *     is withdrawn.
 * E3. Each client sees the turns of the others, in other processes too.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Api } from "../support/api.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";
import { SdkEditor } from "../support/sdk-editor.ts";
import { type Server, startServer } from "../support/server.ts";

const TRUST = { TROUPE_TRUST: "1" };
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/beside.yaml", "acceptance/talk.yaml", "acceptance/gate.yaml"]);
});
afterEach(() => house.leave());

const PARKED = { stopReason: "end_turn", _meta: { "troupe/state": "parked" } };

/** Two connections of one server. */
async function served(): Promise<{ server: Server; first: SdkEditor; second: SdkEditor }> {
  const server = await startServer(house, [], TRUST);
  return { server, first: await SdkEditor.onSocket(server.url), second: await SdkEditor.onSocket(server.url) };
}
const process = (): Promise<SdkEditor> => SdkEditor.onPipes(house.troupe(["acp"], TRUST));
const cardsOf = ({ holder }: SdkEditor) => holder.held.cards as { [id: string]: { [field: string]: unknown } };
const runOf = (session: string): string =>
  storedRows(house.store, session).find(({ type }) => type === "run.started")?.run ?? "";

describe("a client that joins while a run is going", () => {
  test.each(["load", "resume"] as const)("by session/%s ends with the same view (E1)", async (how) => {
    const { first, second } = await served();
    const session = await first.open(house.cwd);
    const turn = first.prompt(session, "/beside");
    const [one, two] = [await first.asked(0), await first.asked(1)];
    await first.hears("a tree");
    await second.attach(how, session, house.cwd);
    await second.until(() => Object.keys(cardsOf(second)).length === Object.keys(cardsOf(first)).length);
    await second.hears("a tree");
    expect(second.holder.held).toMatchObject({ ...first.holder.held, messages: {} });
    expect(Object.values(cardsOf(second)).map(({ title }) => title)).toContain("On the left");
    one.choose("allow_once");
    two.choose("allow_once");
    expect(await turn).toEqual(PARKED);
    await second.hears("Who are you?");
    await second.until(() => Object.values(cardsOf(second)).every(({ status }) => status === "completed"));
    const { messages, ...rest } = second.holder.held;
    const { messages: words, ...all } = first.holder.held;
    expect(rest).toEqual(all);
    expect(JSON.stringify(messages)).not.toContain("Left begins");
    expect(messages).toMatchObject(words);

    // A parked conversation continues in either editor, and is seen in both.
    expect(await second.prompt(session, "Ann")).toEqual(PARKED);
    await first.hears("Ann");
    expect(await first.prompt(session, "")).toEqual({ stopReason: "end_turn" });
    await second.hears("All is done.");
    const { messages: _, ...end } = second.holder.held;
    expect(end).toMatchObject({ cards: cardsOf(first), plan: first.holder.held.plan });
    expect(second.questions).toEqual([]);
  });
});

describe("a question", () => {
  test("goes to the client that prompted, and to the next one when that client leaves (E2)", async () => {
    const { first, second } = await served();
    const session = await first.open(house.cwd);
    await second.attach("resume", session, house.cwd);
    first.prompt(session, "/gate").catch(() => undefined);
    await first.asked(0);
    await second.hears("May the gate be opened?");
    expect(second.questions).toEqual([]);
    await first.leave();
    (await second.asked(0)).choose("allow_once");
    await second.hears("The gate is open.");
    expect(second.questions).toHaveLength(1);
  });

  test("that is answered over the API is withdrawn where it was put (E2)", async () => {
    const { server, first, second } = await served();
    const session = await first.open(house.cwd);
    await second.attach("load", session, house.cwd);
    const turn = first.prompt(session, "/gate");
    const put = await first.asked(0);
    const asked = storedRows(house.store, session).find((row) => row.type === "permission.requested");
    if (asked?.type !== "permission.requested") throw new Error("nothing was asked");
    const { permission, options } = asked.payload;
    const option = options.find(({ kind }) => kind === "allow_once")?.id;
    const api = new Api(server);
    expect(await api.post(`/api/runs/${runOf(session)}/decide`, { permission, option })).toMatchObject({ status: 204 });
    await first.until(() => put.isWithdrawn);
    expect(await turn).toEqual({ stopReason: "end_turn" });
    await second.hears("The gate is open.");
    expect([first.questions.length, second.questions.length]).toEqual([1, 0]);
  });
});

describe("a second process", () => {
  test("answers a run, and the editor that opened the session sees it (E3)", async () => {
    const editor = await process();
    const session = await editor.open(house.cwd);
    expect(await editor.prompt(session, "/talk")).toEqual(PARKED);
    const before = editor.holder.held;
    const answered = house.troupe(["resume", runOf(session), "--answer", "Ann"], TRUST);
    expect(await answered.ended).toEqual({ code: 0, signal: null });
    await editor.hears("Ann");
    const again = house.troupe(["resume", runOf(session), "--answer", ""], TRUST);
    expect(await again.ended).toEqual({ code: 0, signal: null });
    await editor.hears("bye");
    expect(editor.holder.held).toMatchObject({ title: before.title, messages: before.messages });
    // And it continues here, once.
    expect(await editor.prompt(session, "/talk")).toEqual(PARKED);
    const said = Object.entries(editor.holder.held.messages);
    expect(said.filter(([id, text]) => id.startsWith("user") && text === "Ann")).toHaveLength(1);
  });

  test("prompts, and each editor sees the turn of the other (E3)", async () => {
    const [first, second] = [await process(), await process()];
    const session = await first.open(house.cwd);
    await second.attach("load", session, house.cwd);
    expect(await second.prompt(session, "/talk")).toEqual(PARKED);
    await first.hears("Who are you?");
    expect(await first.prompt(session, "Ann")).toEqual(PARKED);
    await second.hears("Ann");
    expect(await second.prompt(session, "")).toEqual({ stopReason: "end_turn" });
    await first.hears("bye");
    // A question of the other editor's turn is not asked here.
    const turn = second.prompt(session, "/gate");
    await first.hears("May the gate be opened?");
    expect(first.questions).toEqual([]);
    (await second.asked(0)).choose("allow_once");
    expect(await turn).toEqual({ stopReason: "end_turn" });
    await first.hears("The gate is open.");
    expect(first.questions).toEqual([]);
  });
});
