/**
 * A run is rerun from each face: ACP clients by other authors, the API, and the terminal, which asks for what is
 * missing.
 *
 * F1. `/rerun` is in the list of commands, and does in a session what `troupe rerun` does.
 * F2. The API does the same, and where it refuses, it says what is in the way.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { Editor, saidIn, updatesOf } from "../support/acp-editor.ts";
import { type Anything, Api } from "../support/api.ts";
import { type House, openHouse, PROGRAM, storedRows, storedSessions } from "../support/house.ts";
import { SdkEditor } from "../support/sdk-editor.ts";
import { startServer } from "../support/server.ts";
import { answers, Taped } from "./wires.ts";

const TRUST = { TROUPE_TRUST: "1" };
let house: House;
let trace: string;
beforeEach(() => {
  house = openHouse(["acceptance/sharded.yaml"]);
  trace = join(house.root, "trace");
  writeFileSync(trace, "");
});
afterEach(() => house.leave());

const mend = (): void => writeFileSync(`${trace}.mended`, "");
const rowsOf = (): Exchange[] => storedSessions(house.store).flatMap((id) => storedRows(house.store, id));
const reruns = () => rowsOf().flatMap((row) => (row.type === "run.started" ? [row.payload.rerun ?? null] : []));
const ends = () => rowsOf().flatMap((row) => (row.type === "run.completed" ? [row.payload.status] : []));
const ONE_AGAIN = { from: "test", taken: ["build"], rounds: { taken: 11, of: 12 } };

test("acpx reruns what failed (F1)", { timeout: 120_000 }, async () => {
  const acpx = new Taped(house, [process.execPath, PROGRAM, "acp"]);
  const succeeds = async (...args: string[]): Promise<void> => {
    const started = acpx.start(...args);
    expect({ ...(await started.ended), stderr: started.stderr }).toMatchObject({ code: 0 });
  };
  await succeeds("sessions", "new", "--name", "one");
  await succeeds("prompt", "-s", "one", `/sharded trace=${trace}`);
  mend();
  await succeeds("prompt", "-s", "one", "/rerun failed");
  await succeeds("sessions", "close", "one");
  await acpx.recorded((all) => all.every(({ ended }) => ended !== null));
  expect(ends()).toEqual(["failed", "completed"]);
  expect(reruns()).toEqual([null, { run: rowsOf().find(({ type }) => type === "run.started")?.run, ...ONE_AGAIN }]);
  const all = acpx.wires();
  expect(all.flatMap(answers).filter((answer) => "stopReason" in answer)).toEqual([
    { stopReason: "end_turn", _meta: expect.anything() },
    { stopReason: "end_turn" },
  ]);
  const said = all.map(({ sent }) => saidIn(sent)).join("\n");
  expect(said).toContain('again from "test"; taken over: build; 11 of 12 rounds taken over');
});

test("an editor with the SDK's client lists it, and reruns one round (F1)", async () => {
  const editor = await SdkEditor.onPipes(house.troupe(["acp"], TRUST));
  const session = await editor.open(house.cwd);
  await editor.prompt(session, `/sharded trace=${trace}`);
  mend();
  expect(await editor.prompt(session, "/rerun from=test[7]")).toEqual({ stopReason: "end_turn" });
  expect(reruns()[1]).toMatchObject({ ...ONE_AGAIN, round: "test[7]" });
  await editor.hears('again from \\"test[7]\\"; taken over: build');
  const lister = new Editor(house.troupe(["acp"], TRUST));
  await lister.initialize();
  const listing = await lister.open(house.cwd);
  const isList = (update: { [name: string]: unknown }): boolean =>
    update["sessionUpdate"] === "available_commands_update";
  await lister.sees(({ message }) => isList(((message["params"] ?? {}) as Anything).update ?? {}));
  const lists = updatesOf(lister.trace).filter(({ session: id, update }) => id === listing && isList(update));
  const commands = (lists.at(-1)?.update["availableCommands"] ?? []) as { name: string }[];
  expect(commands.at(-1)).toEqual({
    name: "rerun",
    description: "Do the last run of this session again",
    input: { hint: "[failed] [from=<step>] [run=<id>] [force] [<input>=<value>]" },
  });
  await lister.leave();
});

test("the API reruns, says so in the log, and refuses what cannot be rerun (F2)", async () => {
  const api = new Api(await startServer(house, [], TRUST));
  const { run, session } = await api.start("sharded", { inputs: { trace } });
  await api.whole(run);
  mend();
  const rerun = (id: string, body: object) => api.post(`/api/runs/${id}/rerun`, body);
  const begun = await rerun(run, { failed: true });
  expect(begun).toMatchObject({ status: 202, body: { session } });
  const again = (begun.body as { run: string }).run;
  await api.whole(again);
  expect(await api.run(again)).toMatchObject({ status: "completed", session });
  expect(reruns()[1]).toEqual({ run, ...ONE_AGAIN });
  const round = await rerun(run, { from: "test[3]" });
  expect(round.status).toBe(202);
  await api.whole((round.body as { run: string }).run);
  const codes: [object, number, string][] = [
    [{ from: "test", failed: true }, 400, "USER.SERVE.INVALID_REQUEST"],
    [{ from: "deploy" }, 409, "USER.RUN.NOT_RERUNNABLE"],
    [{ failed: true, inputs: { level: "two" } }, 409, "USER.RUN.CHANGED"],
    [{ inputs: { lvel: "two" } }, 400, "USER.INPUT.UNKNOWN"],
    [{ fialed: true }, 400, "USER.SERVE.INVALID_REQUEST"],
  ];
  for (const [body, status, code] of codes)
    expect([body, await rerun(run, body)]).toMatchObject([body, { status, body: { code } }]);
  expect(await rerun("nobody", {})).toMatchObject({ status: 404, body: { code: "USER.RUN.NOT_FOUND" } });
  expect(((await rerun(run, { failed: true, inputs: { level: "two" } })).body as Anything).details.differs).toEqual([
    '"build" reads inputs.level, which has another value',
  ]);
});
