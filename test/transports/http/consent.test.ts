/**
 * A run in a directory that is not trusted yet, over the API.
 *
 * C1. It is there from the start: its status, its events and what it waits for. Decided, it runs; refused or cancelled,
 *     it has ended, and says why.
 * C2. An editor that attends its session is asked too; the first answer decides, and the other's is withdrawn.
 * C3. Only the user of this machine says what is trusted: a client with a token of a subject is asked nothing, sees
 *     no trust and takes none back.
 * C4. Trust is listed and taken back.
 */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Anything, Api } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";
import { SdkEditor } from "../../support/sdk-editor.ts";
import { type Server, SocketClient, startServer, updatesOf } from "../../support/server.ts";

const [OWN, BOB] = ["o".repeat(40), "b".repeat(40)];
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/footprint.yaml"]);
});
afterEach(() => house.leave());
const wasRun = (): boolean => existsSync(join(house.cwd, "footprint"));
const ASKS = { consent: "ask" };

/** The server, and its run that waits. */
async function waiting(): Promise<{ server: Server; api: Api; run: string; session: string; permission: string }> {
  const server = await startServer(house);
  const api = new Api(server);
  const { run, session } = await api.start("footprint", ASKS);
  const record = await api.run(run);
  expect(record).toMatchObject({
    ...{ id: run, session, workflow: "footprint", status: "waiting", exitCode: null, resumable: false, questions: [] },
    permissions: [{ run, step: "", options: [{ id: "trust" }, { id: "refuse" }] }],
  });
  expect((await api.get("/api/runs?status=waiting")).body).toEqual({ runs: [record] });
  expect(wasRun()).toBe(false);
  return { server, api, run, session, permission: record.permissions[0].permission };
}

test("it waits where it can be seen, and runs when it is allowed (C1)", async () => {
  const { api, run, permission } = await waiting();
  const events = await api.events(run);
  await events.hears("permission.requested");
  expect((await api.post(`/api/runs/${run}/decide`, { permission, option: "trust" })).status).toBe(204);
  await events.ended;
  expect(events.names).toEqual(expect.arrayContaining(["permission.resolved", "run.started", "run.completed"]));
  expect(await api.run(run)).toMatchObject({ status: "completed", permissions: [], exitCode: 0 });
  expect(wasRun()).toBe(true);
});

test("refused, it has ended and says why (C1)", async () => {
  const { api, run, permission } = await waiting();
  const events = await api.events(run);
  expect((await api.post(`/api/runs/${run}/decide`, { permission, option: "refuse" })).status).toBe(204);
  await events.ended;
  const end = {
    status: "failed",
    exitCode: 5,
    error: { code: "USER.TRUST.REFUSED" },
    resumable: false,
    permissions: [],
  };
  expect(await api.run(run)).toMatchObject(end);
  const later = await api.whole(run);
  expect(later.names).toEqual(["permission.requested", "permission.resolved", "run.completed"]);
  expect(wasRun()).toBe(false);
});

test("an editor that attends its session is asked too; the first answer decides (C2)", async () => {
  const { server, api, run, session } = await waiting();
  const editor = await SdkEditor.onSocket(server.url);
  await editor.attach("load", session, house.cwd);
  (await editor.asked(0)).choose("allow_always");
  await editor.until(() => JSON.stringify(editor.holder.held.plan).includes("completed"));
  await (await api.events(run)).ended;
  expect(await api.run(run)).toMatchObject({ status: "completed" });

  const again = openHouse(["acceptance/footprint.yaml"]);
  const { run: other, session: place } = await api.start("footprint", { ...ASKS, cwd: again.cwd });
  await editor.attach("resume", place, again.cwd);
  const put = await editor.asked(1);
  const [{ permission }] = (await api.run(other)).permissions;
  expect((await api.post(`/api/runs/${other}/decide`, { permission, option: "refuse" })).status).toBe(204);
  await editor.until(() => put.isWithdrawn);
  await again.leave();
});

test("an editor that leaves takes nothing of it along (C2)", async () => {
  const { server, api, run, session, permission } = await waiting();
  const editor = await SdkEditor.onSocket(server.url);
  await editor.attach("load", session, house.cwd);
  await editor.asked(0);
  await editor.leave();
  const events = await api.events(run);
  expect((await api.post(`/api/runs/${run}/decide`, { permission, option: "trust" })).status).toBe(204);
  await events.ended;
  expect(await api.run(run)).toMatchObject({ status: "completed" });
});

test("a subject of a token is not asked, over no face, and has no say in what is trusted (C3, C4)", async () => {
  const file = join(house.root, "tokens");
  writeFileSync(file, `${OWN}\nbob ${BOB}\n`, { mode: 0o600 });
  const server = await startServer(house, ["--token-file", file]);
  const [owner, bob] = [new Api(server, OWN), new Api(server, BOB)];
  const refused = await bob.post("/api/runs", { workflow: "footprint", ...ASKS });
  expect([refused.status, (refused.body as Anything).code]).toEqual([403, "USER.TRUST.REQUIRED"]);
  const socket = await SocketClient.ready(server.url, { headers: { authorization: `Bearer ${BOB}` } });
  socket.decide = () => "trust";
  const session = await socket.session(house.cwd);
  const answer = await socket.prompt(session, "/footprint");
  expect(answer).toMatchObject({ result: { _meta: { "troupe/error": { code: "USER.TRUST.REQUIRED" } } } });
  expect(socket.trace.filter(({ message }) => message["method"] === "session/request_permission")).toEqual([]);
  expect(JSON.stringify(updatesOf(socket, session))).toContain("not trusted");
  for (const said of [
    await bob.get("/api/trust"),
    await bob.get("/api/schedules"),
    await bob.ask("DELETE", `/api/trust?cwd=${house.cwd}`),
  ])
    expect([said.status, (said.body as Anything).code]).toEqual([403, "USER.TRUST.NOT_YOURS"]);
  expect(wasRun()).toBe(false);

  const { run } = await owner.start("footprint", ASKS);
  const [{ permission }] = (await owner.run(run)).permissions;
  expect((await bob.post(`/api/runs/${run}/decide`, { permission, option: "trust" })).status).toBe(404);
  expect((await owner.post(`/api/runs/${run}/decide`, { permission, option: "trust" })).status).toBe(204);
  await owner.whole(run);
  expect(wasRun()).toBe(true);

  // What the user trusts is trusted for what runs with the user's rights, until it is taken back.
  const cwd = realpathSync(house.cwd);
  expect((await owner.get("/api/trust")).body).toEqual({ directories: [{ cwd, at: expect.any(Number) }] });
  expect((await bob.post("/api/runs", { workflow: "footprint" })).status).toBe(202);
  mkdirSync(join(cwd, "below"));
  const revoke = (directory: string) => owner.ask("DELETE", `/api/trust?cwd=${encodeURIComponent(directory)}`);
  const unknown = await revoke(join(cwd, "below"));
  expect([unknown.status, (unknown.body as Anything).code]).toEqual([404, "USER.TRUST.UNKNOWN"]);
  expect(await revoke(cwd)).toMatchObject({ status: 200, body: { cwd, above: null } });
  expect((await owner.get("/api/trust")).body).toEqual({ directories: [] });
  expect((await owner.post("/api/runs", { workflow: "footprint" })).status).toBe(403);
  await socket.leave();
});
