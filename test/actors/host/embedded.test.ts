/** Covers `embedded.ts`, `ticks.ts`: what one turn of the event loop brought is one transaction. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EmbeddedStage, rest, until, words } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";
import { databaseOf, query } from "../../support/sql.ts";

const S = sessionKey("s");
const note = (text: string) => ({ type: "note.taken", text }) as never;
const _row = (message: string) => ({ type: "notice", payload: { severity: "info", message } }) as const;

let stage: EmbeddedStage;
beforeEach(() => {
  stage = new EmbeddedStage();
});
afterEach(() => stage.close());

describe("group commit", () => {
  test("all that arrives in one tick is one transaction", async () => {
    const moments: string[] = [];
    const { host } = stage.enter({ failpoint: (name) => moments.push(name) });
    await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const key = sessionKey(String(i));
        const created = host.create(key, BIRTH);
        await Promise.all([created, host.send(key, note("a")), host.send(key, note("b"))]);
      }),
    );
    expect(moments).toEqual(["commit.before", "commit.inside", "commit.after"]);
    await rest(); // a tick without anything to write is no transaction
    expect(moments).toHaveLength(3);
  });

  test("a tick that takes too long is cut, and continues where it was", async () => {
    const { host } = stage.enter();
    await host.create(S, BIRTH);
    const texts = Array.from({ length: 4_000 }, (_, i) => String(i));
    const answers = await Promise.all(texts.map((text) => host.send(S, note(text))));
    expect(answers.every((answer) => answer.accepted)).toBe(true);
    expect(words(host, S)).toEqual(["born", ...texts]);
  });

  test("what a cut tick has left survives a crash, once", async () => {
    const commits: number[] = [];
    const first = stage.enter({ failpoint: (name) => void (name === "commit.after" && commits.push(1)) });
    await first.host.create(S, BIRTH);
    const texts = Array.from({ length: 2_000 }, (_, i) => String(i));
    const before = commits.length;
    // Each causes one mail of the host's own. The first tick delivers the causes and, at best, some of these.
    const causes = texts.map((text) =>
      first.host.send(S, { type: "echo.asked", text } as never).catch(() => undefined),
    );
    await until(() => commits.length > before);
    first.crash();
    await Promise.all(causes);
    const next = stage.enter();
    await next.host.send(S, note("next"));
    await rest();
    const echoed = words(next.host, S).filter((word) => /^\d+$/.test(word));
    expect(echoed).toEqual(texts.slice(0, echoed.length)); // in order, none twice, none skipped
    expect(query(next.host.store, "select count(*) as n from mail")).toEqual([{ n: 0 }]);
  });

  test("what a cut tick has left begins nothing that goes on by itself: it is cut off as what ran is", async () => {
    const first = stage.enter();
    await first.host.create(S, BIRTH);
    await first.host.send(S, { type: "question.asked" } as never);
    const { store } = first.host;
    store.begin();
    const event = JSON.stringify({ type: "work.asked", label: "left" });
    store.mail.keep(S, { key: S, event, nonce: null });
    store.commit();
    first.crash();
    const next = stage.enter();
    await Promise.all(["1", "2"].map((text) => next.host.send(S, note(text))));
    await rest();
    expect(words(next.host, S)).toEqual(["born", "owner lost", "job failed: INTERRUPTED", "1", "2"]);
    expect(next.jobs.all).toEqual([]);
    expect(query(next.host.store, "select count(*) as n from work")).toEqual([{ n: 0 }]);
  });
});

test("rows of this process's own are told after their commit, others' are not", async () => {
  const told: string[] = [];
  const { host } = stage.enter({ onRow: (session, exchange) => told.push(`${session} ${exchange.seq}`) });
  const other = stage.enter();
  await host.create(S, BIRTH);
  await other.host.send(S, note("other"));
  await host.send(S, note("own"));
  await rest();
  expect(told).toEqual([`${S} 1`, `${S} 3`]);
});

test("to read a session that runs here asks for no news of other processes; to read any other does", async () => {
  const { host, jobs } = stage.enter();
  const other = stage.enter();
  const T = sessionKey("t");
  await host.create(S, BIRTH);
  await host.create(T, BIRTH);
  await host.send(S, { type: "work.asked", label: "a" } as never);
  await jobs.started(0);
  let asked = 0;
  const { store } = host;
  const foreignNews = store.foreignNews.bind(store);
  store.foreignNews = () => {
    asked++;
    return foreignNews();
  };
  expect(host.read(S)?.status).toBe("active");
  expect(host.head(S)).toBeGreaterThan(0);
  expect(asked).toBe(0);
  host.read(T);
  expect(asked).toBe(1);
  await other.host.send(T, { type: "work.asked", label: "other" } as never);
  expect(host.read(T)?.context).toMatchObject({ label: "other" });
});

test("a store of a later version is refused", async () => {
  databaseOf(stage.enter().host.store).exec("pragma user_version=99");
  expect(() => stage.enter()).toThrow("later version (schema 99");
});
