/**
 * One approval of a run in an editor, given from the editor, from another terminal, and with `curl`. In each place the
 * person who decides sees the command that would run, with its values and without secrets.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Permission } from "../../actors/api/records.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";
import { SdkEditor } from "../support/sdk-editor.ts";
import { startServer } from "../support/server.ts";

const TRUST = { TROUPE_TRUST: "1" };
const COMMAND = 'echo shipped "1.2.0" --token=***';
const SECRET = "hunter2-hunter2";
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/deploy.yaml"]);
});
afterEach(() => house.leave());

const said = async (...args: string[]): Promise<string> => {
  const started = house.troupe(args);
  await started.ended;
  return started.lines.join("\n") + started.stderr;
};
const curl = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)("curl", ["-sS", "--fail", "--max-time", "30", ...args])).stdout;

async function asked() {
  const editor = await SdkEditor.onPipes(house.troupe(["acp"], TRUST));
  const session = await editor.open(house.cwd);
  const turn = editor.prompt(session, "/deploy version=1.2.0");
  turn.catch(() => undefined); // a test that fails before it is answered says why
  const put = await editor.asked(0);
  const row = storedRows(house.store, session).find(({ type }) => type === "permission.requested");
  if (row?.type !== "permission.requested") throw new Error("nothing was asked");
  expect(JSON.stringify([put.request, row])).not.toContain(SECRET);
  return { editor, session, turn, put, run: row.run ?? "", permission: row.payload.permission };
}
async function shipped({ editor, turn }: Awaited<ReturnType<typeof asked>>): Promise<void> {
  expect(await turn).toEqual({ stopReason: "end_turn" });
  await editor.hears("It is out.");
}

test("an approval is given from the editor", async () => {
  const asking = await asked();
  const { title, content, rawInput } = asking.put.request.toolCall;
  expect(title).toContain(COMMAND);
  expect(JSON.stringify(content)).toContain(JSON.stringify(COMMAND).slice(1, -1));
  expect(rawInput).toEqual({ step: "ship", kind: "command", command: COMMAND });
  asking.put.choose("allow_once");
  await shipped(asking);
});

test("an approval is given from another terminal", async () => {
  const asking = await asked();
  const { run } = asking;
  for (const shown of await Promise.all([
    said("decide", run),
    said("status", run),
    said("history"),
    said("resume"),
    said("status", run, "--format", "json"),
    said("history", "--format", "json"),
  ])) {
    expect(shown.replaceAll('\\"', '"')).toContain(COMMAND);
    expect(shown).not.toContain(SECRET);
  }
  expect(await said("decide", run, "allow")).toContain("Decided: allow");
  await asking.editor.until(() => asking.put.isWithdrawn);
  await shipped(asking);
});

test("an approval is given with curl", async () => {
  const asking = await asked();
  const { run, permission } = asking;
  const { port } = await startServer(house);
  const at = `http://127.0.0.1:${port}/api/runs/${run}`;
  const record = JSON.parse(await curl(at)) as { status: string; permissions: Permission[] };
  expect(record).toMatchObject({
    status: "waiting",
    permissions: [{ permission, input: { step: "ship", kind: "command", command: COMMAND } }],
  });
  const decision = JSON.stringify({ permission, option: "allow" });
  await curl(`${at}/decide`, "-H", "content-type: application/json", "-d", decision);
  await asking.editor.until(() => asking.put.isWithdrawn);
  await shipped(asking);
});
