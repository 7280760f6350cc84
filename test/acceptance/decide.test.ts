/**
 * A question of an editor's run, decided from another process: a real editor's process here, `troupe decide` there.
 *
 * D1. `troupe decide` reports that its answer counts only once it does. The editor's question is withdrawn, and the run
 *     continues in the editor's process.
 * D2. Exactly one answer counts. A second or a late answer is refused and changes nothing.
 * D3. An owner that does not read the answer, or that dies before it reads, has decided nothing.
 * D4. `status` and `history` show what is asked and how to answer it.
 * D5. Only the user of the machine can decide this way, and only questions of that user's own sessions.
 */
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTroupe } from "../../actors/troupe.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";
import { SdkEditor } from "../support/sdk-editor.ts";
import type { Started } from "../support/started.ts";
import { untilStored } from "../support/until-stored.ts";

const TRUST = { TROUPE_TRUST: "1" };
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/gate.yaml"]);
});
afterEach(() => house.leave());

type Told = { code: number | null; out: string; err: string };
const told = async (started: Started): Promise<Told> => {
  const { code } = await started.ended;
  return { code, out: started.lines.join("\n"), err: started.stderr };
};
const troupe = (...args: string[]): Promise<Told> => told(house.troupe(args));
const rowsOf = (session: string) => storedRows(house.store, session);
const resolvedIn = (session: string) => rowsOf(session).filter(({ type }) => type === "permission.resolved");

/** An editor, in a process of its own, that is asked whether the gate may be opened. */
async function asked(env: { [name: string]: string } = TRUST) {
  const owner = house.troupe(["acp"], env);
  const editor = await SdkEditor.onPipes(owner);
  const session = await editor.open(house.cwd);
  const turn = editor.prompt(session, "/gate");
  turn.catch(() => undefined); // a test that kills it does not wait for it
  const put = await editor.asked(0);
  const row = rowsOf(session).find(({ type }) => type === "permission.requested");
  if (row?.type !== "permission.requested") throw new Error("nothing was asked");
  return { owner, editor, session, turn, put, run: row.run ?? "", permission: row.payload.permission };
}
/** Resolves when another process has left a letter. */
const letterLeft = (): Promise<true> =>
  untilStored(
    house.store,
    () => {
      const database = new DatabaseSync(house.store);
      try {
        return database.prepare("select 1 from letter").get() === undefined ? null : true;
      } finally {
        database.close();
      }
    },
    { limitMs: 30_000, late: () => new Error("nothing was left") },
  );

test("a yes from another process withdraws the question, and the run continues (D1, D2, D4)", async () => {
  const { editor, session, turn, put, run, permission } = await asked();
  const way = `troupe decide ${run} --permission ${permission} <allow | deny>`;
  const [status, history, shown] = [await troupe("status", run), await troupe("history"), await troupe("decide", run)];
  expect(status.out).toContain(`a decision: Run step "open"?`);
  expect(status.out).toContain(way);
  expect(history.out).toContain(`Run step "open"?`);
  expect(history.out).toContain("Decide one: troupe decide <run>");
  expect(shown).toMatchObject({ code: 0, err: "" });
  expect(shown.out).toContain("May the gate be opened?");
  expect(shown.out).toContain(way);
  expect(put.isWithdrawn).toBe(false);

  const decided = await troupe("decide", run, "--permission", permission, "allow");
  expect(decided).toEqual({ code: 0, out: `Run step "open"? Decided: allow. See troupe status ${run}`, err: "" });
  // It reports success only once the answer is committed.
  expect(resolvedIn(session)).toMatchObject([{ payload: { permission, outcome: "selected", option: "allow" } }]);
  await editor.until(() => put.isWithdrawn);
  expect(await turn).toEqual({ stopReason: "end_turn" });
  await editor.hears("The gate is open.");
  expect(editor.questions).toHaveLength(1);

  const again = await troupe("decide", run, "deny", "--format", "json");
  expect(again.code).toBe(1);
  expect(JSON.parse(again.out)).toMatchObject({ error: { code: "USER.FACADE.INPUT_REJECTED" } });
  expect(resolvedIn(session)).toHaveLength(1);
});

test("a no from another process is a no (D1)", async () => {
  const { editor, session, turn, put, run } = await asked();
  expect((await troupe("decide", run, "deny")).code).toBe(0);
  await editor.until(() => put.isWithdrawn);
  await turn;
  expect(rowsOf(session).find(({ type }) => type === "run.completed")).toMatchObject({
    payload: { status: "failed", error: { code: "EXECUTION.STEP.DENIED" } },
  });
});

test("an answer that is no option, or to no open question, is refused and nothing is decided (D2)", async () => {
  const { editor, session, turn, put, run } = await asked();
  const [odd, other, silent] = [
    await troupe("decide", run, "perhaps"),
    await troupe("decide", run, "allow", "--permission", "nope"),
    await troupe("decide", run),
  ];
  expect([odd.code, other.code, silent.code]).toEqual([1, 1, 0]);
  expect(odd.err).toContain("[USER.CLI.USAGE]");
  expect(other.err).toContain("[USER.FACADE.INPUT_REJECTED]");
  expect(resolvedIn(session)).toEqual([]);
  put.choose("allow_once");
  expect(await turn).toEqual({ stopReason: "end_turn" });
  await editor.hears("The gate is open.");
});

test("of two answers at once one counts (D2)", async () => {
  const { session, turn, run } = await asked();
  const [yes, no] = await Promise.all([troupe("decide", run, "allow"), troupe("decide", run, "deny")]);
  await turn;
  const resolved = resolvedIn(session);
  expect(resolved).toHaveLength(1);
  expect([yes.code, no.code].sort()).toEqual([0, 1]);
  expect(resolved).toMatchObject([{ payload: { option: yes.code === 0 ? "allow" : "deny" } }]);
  expect(yes.err + no.err).toContain("[USER.FACADE.INPUT_REJECTED]");
});

test("a stopped owner reads the answer when it continues (D1)", async () => {
  const { owner, session, turn, run } = await asked();
  owner.child.kill("SIGSTOP");
  const deciding = troupe("decide", run, "allow");
  await letterLeft();
  expect(resolvedIn(session)).toEqual([]);
  owner.child.kill("SIGCONT");
  expect((await deciding).code).toBe(0);
  expect(await turn).toEqual({ stopReason: "end_turn" });
});

test("an owner that never reads is reported, and the answer is taken back, and a cancel (D3)", async () => {
  const { owner, session, turn, put, run } = await asked();
  owner.child.kill("SIGSTOP");
  for (const { code, err } of await Promise.all([troupe("decide", run, "allow"), troupe("cancel", run)])) {
    expect(code).toBe(1);
    expect(err).toContain("does not read");
    expect(err).toContain("[USER.SESSION.BUSY_ELSEWHERE]");
  }
  owner.child.kill("SIGCONT");
  put.choose("reject_once");
  await turn;
  expect(resolvedIn(session)).toMatchObject([{ payload: { option: "deny" } }]);
});

test("an owner that is killed before it reads has decided nothing, and the run is resumed like any other (D3)", async () => {
  const { owner, session, run } = await asked();
  owner.child.kill("SIGSTOP");
  const deciding = troupe("decide", run, "allow");
  await letterLeft();
  owner.kill();
  await owner.ended;
  const decided = await deciding;
  expect(decided.code).toBe(1);
  expect(decided.err).toContain("[USER.FACADE.INPUT_REJECTED]");
  expect(resolvedIn(session)).toEqual([]);
  const late = await troupe("decide", run, "allow");
  expect(late.code).toBe(1);
  expect(late.err).toContain(`is interrupted and asks nothing now: troupe resume ${run} resumes it`);
  // The gate is asked anew. Where no one can be asked, the answer is no.
  expect((await told(house.troupe(["resume", run], TRUST))).code).not.toBe(0);
  expect(resolvedIn(session).every((row) => row.type === "permission.resolved" && row.payload.option !== "allow")).toBe(
    true,
  );
});

test("a `troupe decide` that is killed before it hears has still decided, once (D1, D2)", async () => {
  const { owner, session, turn, run } = await asked();
  owner.child.kill("SIGSTOP");
  const decider = house.troupe(["decide", run, "allow"]);
  await letterLeft();
  decider.kill();
  await decider.ended;
  owner.child.kill("SIGCONT");
  expect(await turn).toEqual({ stopReason: "end_turn" });
  expect(resolvedIn(session)).toMatchObject([{ payload: { option: "allow" } }]);
});

test("the question whether a directory is trusted is decided the same way (D1)", async () => {
  const { editor, session, turn, put, run, permission } = await asked({});
  const { options } = put.request;
  expect(options.map(({ optionId }) => optionId)).toContain("trust");
  expect((await troupe("decide", run, "trust", "--permission", permission)).code).toBe(0);
  (await editor.asked(1)).choose("allow_once");
  expect(await turn).toEqual({ stopReason: "end_turn" });
  await editor.until(() => put.isWithdrawn);
  expect(resolvedIn(session)).toHaveLength(2);
});

test("a question of another principal is decided neither on the machine's command line nor by another subject (D5)", async () => {
  const server = createTroupe({ environment: { ...house.env, ...TRUST } });
  const other = createTroupe({ environment: { ...house.env, ...TRUST } });
  try {
    const asking = await server.as("ann").run({ workflow: "gate", inputs: {}, consent: "yes", cwd: house.cwd });
    const opened = () => {
      const row = rowsOf(asking.session.id).find(({ type }) => type === "permission.requested");
      return row?.type === "permission.requested" ? row.payload.permission : null;
    };
    const permission = await untilStored(house.store, opened, {
      limitMs: 30_000,
      late: () => new Error("no question"),
    });
    const decided = await troupe("decide", asking.id, "allow");
    expect(decided.code).toBe(1);
    expect(decided.err).toContain("[USER.SESSION.NOT_YOURS]");
    await expect(other.as("mallory").open(asking.session.id)).rejects.toMatchObject({ code: "USER.SESSION.UNKNOWN" });
    // Only the asking process may withdraw its question; ann may answer it.
    const ann = await other.as("ann").open(asking.session.id);
    await expect(ann.decide(permission, null)).rejects.toMatchObject({ code: "USER.SESSION.BUSY_ELSEWHERE" });
    expect(resolvedIn(asking.session.id)).toEqual([]);
    await ann.decide(permission, "allow");
    expect((await asking.done).outcome.status).toBe("completed");
    await expect(ann.decide(permission, "deny")).rejects.toMatchObject({ code: "USER.FACADE.INPUT_REJECTED" });
  } finally {
    await Promise.all([server.close(), other.close()]);
  }
});
