/**
 * Two agent steps of one conversation through `troupe run`, with the real Claude Code: without a kill, and with `kill
 * -9` between the two and during each.
 *
 * R1. The second step's request carries the first step's conversation, after any kill.
 * R2. Nothing of the killed process runs when the resumed one has ended.
 */
import { afterAll, beforeAll, beforeEach, expect, it, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { childrenOf, type House, openHouse, storedRows, storedSessions } from "../support/house.ts";
import { ModelServer, saidTo } from "../support/model-server/model-server.ts";
import type { Started } from "../support/started.ts";
import { claudeEnvironment } from "./subjects/claude.ts";

let server: ModelServer;
let house: House;
beforeAll(async () => {
  server = await ModelServer.start();
  house = openHouse(["real/two-agents.yaml"]);
});
afterAll(async () => {
  await house.leave();
  await server.stop();
});
beforeEach(() => server.reset());

const FORMAT = ["--format", "json"];
const environment = (): { [name: string]: string } => claudeEnvironment(server, house.env["HOME"] ?? "");
const start = (first: string, second: string): Started =>
  house.troupe(
    ["run", "two-agents", "--trust", ...FORMAT, "-i", `first=${first}`, "-i", `second=${second}`],
    environment(),
  );
const rowsOf = (started: Started): Exchange[] => started.lines.map((line) => JSON.parse(line) as Exchange);
const ended = async (started: Started) => ({ ...(await started.ended), stderr: started.stderr });
const textOf = (rows: readonly Exchange[], type: string, step: string): string =>
  rows
    .filter((row) => row.type === type && row.step === step)
    .map((row) => ("text" in row.payload ? row.payload.text : ""))
    .join("");

it("shows thinking, a tool call with its result, text and usage, and carries the conversation (R1)", async () => {
  const run = start("[[think]] [[tool:echo hi-from-tool]] token=ALPHA", "token=BETA");
  expect(await ended(run)).toEqual({ code: 0, signal: null, stderr: "" });
  const rows = rowsOf(run);
  expect(textOf(rows, "message.thought", "first")).toContain("Let me think about this.");
  expect(textOf(rows, "message.assistant", "first")).toBe(
    "I will use a tool.The tool returned: hi-from-tool. All done.",
  );
  const call = rows.find((row) => row.type === "tool.call");
  expect(call?.payload).toMatchObject({ kind: "execute", status: "pending" });
  expect(rows.find((row) => row.type === "tool.result")?.payload).toEqual({
    call: call?.payload.call,
    status: "completed",
    content: [{ type: "text", text: "hi-from-tool" }],
  });
  const usage = rows.filter((row) => row.type === "usage.recorded");
  expect(usage.map(({ step }) => step)).toEqual(["first", "second"]);
  expect(usage.every(({ payload }) => (payload.totalTokens ?? 0) > 0 && payload.cost?.currency === "USD")).toBe(true);
  expect(rows.filter((row) => row.type === "notice")).toEqual([]);
  expect(textOf(rows, "message.assistant", "second")).toContain("turn 2. You said: token=BETA.");

  const requests = await server.requests();
  expect(requests).toHaveLength(3);
  expect(saidTo(requests[2]!)).toContain("token=ALPHA");
  expect(saidTo(requests[2]!)).toContain("hi-from-tool");
  expect(saidTo(requests[2]!)).toContain("token=BETA");
  expect(childrenOf(run.owner)).toEqual([]);
});

/** Where the process is killed: at the first row of this kind. */
const MOMENTS: readonly [string, (row: Exchange) => boolean][] = [
  ["as the first begins", (row) => row.type === "step.started" && row.step === "first"],
  ["while the first speaks", (row) => row.type === "message.assistant" && row.step === "first"],
  ["between the two", (row) => row.type === "step.completed" && row.step === "first"],
  ["while the second speaks", (row) => row.type === "message.assistant" && row.step === "second"],
];

test.each(MOMENTS)("killed %s, a resumed run carries the conversation (R1, R2)", async (name, isMoment) => {
  const [first, second] = [`[[delay:150]] token=ALPHA of ${name}`, `[[delay:150]] token=BETA of ${name}`];
  const killed = start(first, second);
  killed.onLine = (line) => {
    if (isMoment(JSON.parse(line) as Exchange)) killed.kill();
  };
  expect(await killed.ended).toEqual({ code: null, signal: "SIGKILL" });
  const session = storedSessions(house.store).find((id) =>
    storedRows(house.store, id).some((row) => row.type === "run.started" && row.payload.inputs["first"] === first),
  );
  const run = storedRows(house.store, session ?? "").find((row) => row.type === "run.started")?.run ?? "";

  const resumed = house.troupe(["resume", run, "--recover=rerun", ...FORMAT], environment());
  expect(await ended(resumed)).toEqual({ code: 0, signal: null, stderr: "" });
  const rows = rowsOf(resumed);
  expect(textOf(rows, "message.assistant", "second")).toContain(`First prompt was: token=ALPHA of ${name}`);
  expect(rows.at(-1)?.type).toBe("turn.completed");

  const last = (await server.requests()).at(-1)!;
  const roles = (last.body.messages ?? []).map(({ role }) => role).filter((role) => role !== "system");
  expect(roles.at(-1)).toBe("user");
  expect(roles).toContain("assistant");
  expect(saidTo(last)).toContain(`token=ALPHA of ${name}`);
  expect(saidTo(last)).toContain(`token=BETA of ${name}`);
  expect([...childrenOf(killed.owner), ...childrenOf(resumed.owner)]).toEqual([]);
});
