/** Covers `call-forms.ts`, by the calls of the library: what a program leaves out, or gives wrong, is refused by its field. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTroupe, type Troupe } from "../../../actors/troupe.ts";
import type { Anything } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";

let house: House;
let troupe: Troupe;
beforeAll(() => {
  house = openHouse(["acceptance/talk.yaml", "acceptance/hello.yaml"]);
  troupe = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" }, ephemeral: true });
});
afterAll(async () => {
  await troupe.close();
  await house.leave();
});
/** As a program without types asks. */
type Loose = (troupe: Anything, cwd: string) => Promise<unknown>;
const refused = (act: Loose): Promise<unknown> =>
  act(troupe, house.cwd).then(
    (found) => found,
    ({ name, code, details }) => [name, code, details?.field],
  );

test.each<[string, string, Loose]>([
  ["a run without a workflow", "workflow", (it, cwd) => it.run({ cwd, inputs: {}, consent: "yes" })],
  ["a run without inputs", "inputs", (it, cwd) => it.run({ cwd, workflow: "hello", consent: "yes" })],
  ["inputs that are a list", "inputs", (it, cwd) => it.run({ cwd, workflow: "hello", inputs: [], consent: "yes" })],
  ["a consent of no kind", "consent", (it, cwd) => it.run({ cwd, workflow: "hello", inputs: {}, consent: "no" })],
  ["a session's run without anything", "workflow", async (it, cwd) => (await it.session({ cwd })).run({})],
  ["a prompt without blocks", "blocks", async (it, cwd) => (await it.session({ cwd })).prompt({ consent: "yes" })],
  ["a workflow to validate that is none", "identifier", (it, cwd) => it.validate(cwd)],
  ["the status of no run", "run", (it) => it.status()],
  ["a run by no name", "name", (it) => it.find()],
  ["a limit of nothing", "limit", (it) => it.history({ limit: 0 })],
  ["a limit below nothing", "limit", (it) => it.history({ limit: -1 })],
  ["a part of a run", "limit", (it) => it.history({ limit: 1.5 })],
  ["a limit that is no number", "limit", (it) => it.history({ limit: "3" })],
  ["a status that there is not", "status", (it) => it.history({ status: "x" })],
  ["a word that every object has", "status", (it) => it.history({ status: "toString" })],
  ["a time that is none", "since", (it) => it.history({ since: "yesterday" })],
  ["a folder that is none", "under", (it) => it.history({ under: 3 })],
  ["a page of nothing", "limit", (it) => it.sessions({ limit: 0 })],
  ["a page that is too long", "limit", (it) => it.sessions({ limit: 201 })],
  ["a page of no number", "limit", (it) => it.sessions({ limit: Number.NaN })],
  ["a cursor that is none", "cursor", (it) => it.sessions({ cursor: 3 })],
  ["a run of nothing", "request", (it) => it.run()],
  ["a session of nothing", "options", (it) => it.session(null)],
  ["a session's run of nothing", "request", async (it, cwd) => (await it.session({ cwd })).run()],
  ["a list in the place of a run", "request", (it) => it.run([])],
  ["a resume of nothing", "options", (it) => it.resume("a-run")],
  ["an answer of nothing", "answer", (it) => it.answer("a-run")],
  ["a text in the place of a query", "query", (it) => it.history("failed")],
  ["a query of no sessions", "query", (it) => it.sessions(null)],
  ["a name with a folder beside it", "options", (it, cwd) => it.find("@last", cwd)],
  ["no limits of what is kept", "limits", (it) => it.collect()],
  ["no word on how to collect", "options", (it) => it.collect({}, null)],
  ["a prompt of nothing", "blocks", async (it, cwd) => (await it.session({ cwd })).prompt()],
  ["a rerun of nothing", "request", async (it, cwd) => (await it.session({ cwd })).rerun("a-run")],
  ["words to nobody", "request", async (it, cwd) => (await it.session({ cwd })).tell()],
  ["a recovery that there is not", "recover", async (it, cwd) => (await it.session({ cwd })).resume("retry")],
  ["a resume without its recovery", "recover", async (it, cwd) => (await it.session({ cwd })).resume()],
  ["trust taken back from nowhere", "cwd", (it) => it.revokeTrust()],
  ["a project of nowhere", "cwd", async (it) => it.project()],
  ["a Troupe of no options", "options", async () => createTroupe(null as Anything)],
  ["fewer than no runs to keep", "maxRuns", (it) => it.collect({ maxRuns: -1 }, { dryRun: true })],
])("I1: %s", async (_, field, act) => {
  expect(await refused(act)).toEqual(["TroupeError", "USER.FACADE.INVALID_REQUEST", field]);
});

test.each<[string, Loose]>([
  ["run", (it) => it.run({ workflow: "hello", inputs: {}, consent: "yes" })],
  ["session", (it) => it.session({})],
  ["list", (it) => it.list()],
  ["validate", (it) => it.validate()],
  ["another principal's", (it) => it.as("token:ann").list()],
])("a directory that was left out is named: %s", async (_, act) => {
  expect(await refused(act)).toEqual(["TroupeError", "USER.SESSION.CWD", "cwd"]);
});

test("an answer without a text is refused, and the question stays", async () => {
  const run = await troupe.run({ cwd: house.cwd, workflow: "talk", inputs: {}, consent: "yes" });
  const { outcome } = await run.done;
  expect(await refused((it) => it.answer(run.id, {}))).toEqual(["TroupeError", "USER.FACADE.INVALID_REQUEST", "text"]);
  expect((await troupe.status(run.id)).questions).toEqual((outcome as Anything).questions);
});

test("what fits is taken: no limit at all, the highest, and what is left out as undefined", async () => {
  expect(await troupe.history({ limit: Number.POSITIVE_INFINITY, status: "failed" })).toEqual([]);
  expect((await troupe.sessions({ limit: 200, cwd: null, cursor: null })).nextCursor).toBe(null);
  expect(await refused((it) => it.history({ limit: undefined, status: undefined, workflow: "nothing" }))).toEqual([]);
  expect((await troupe.collect({ maxRuns: 0, maxAgeMs: 1.0 }, { dryRun: true })).kept).toBeGreaterThanOrEqual(0);
});
