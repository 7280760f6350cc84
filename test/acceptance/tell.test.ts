/** A person says something to one of several agents at work: each is named as every face shows it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Anything, Api } from "../support/api.ts";
import { type House, openHouse } from "../support/house.ts";
import { type Server, SocketClient, startServer, updatesOf } from "../support/server.ts";

const CALLER = `name: caller
states:
  initial: each
  each: {type: for_each, items: [a, b], max_concurrent: 2, body: [call], on_complete: d}
  call: {type: call_workflow, workflow: called}
  d: {type: terminal}
`;
const CALLED = `name: called
states:
  initial: look
  look: {type: agent, provider: understudy, prompt: slow, options: {prompt_as_script: true}, on_success: d}
  d: {type: terminal}
`;
const ALONE = `name: alone
states:
  initial: look
  look: {type: agent, provider: understudy, prompt: slow, options: {prompt_as_script: true}, on_success: d}
  d: {type: terminal}
`;
let house: House;
let server: Server;
beforeAll(async () => {
  house = openHouse([]);
  const folder = join(house.cwd, ".troupe", "workflows");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "caller.yaml"), CALLER);
  writeFileSync(join(folder, "called.yaml"), CALLED);
  writeFileSync(join(folder, "alone.yaml"), ALONE);
  house.env["TROUPE_TRUST"] = "1";
  server = await startServer(house);
});
afterAll(async () => {
  server.process.kill();
  await house.leave();
});

test("by its address, by the round that it works in, and not by its path alone", async () => {
  const api = new Api(server);
  const { run } = await api.start("caller");
  const atWork = async (): Promise<Anything> => (await api.get(`/api/runs/${run}/steps`)).body;
  await expect.poll(async () => (await atWork()).current).toEqual(["each[a]/call/look", "each[b]/call/look"]);
  const runs = (await atWork()).steps[0].steps.map(({ calls }: Anything) => calls.run);
  const said = async (args: string[]): Promise<[number | null, string]> => {
    const told = house.troupe(["tell", run, ...args]);
    const { code } = await told.ended;
    return [code, `${told.lines.join("\n")}${told.stderr}`];
  };
  const all = "each[a]/call/look, each[b]/call/look";
  expect(await said(["--step", "look", "hello"])).toEqual([
    1,
    `troupe: several agents work: name one of the steps ${all}\n  [USER.TELL.AMBIGUOUS]\n`,
  ]);
  expect(await said(["--step", "each[c]", "hello"])).toEqual([
    1,
    `troupe: no agent works at step "each[c]" now: agents work at ${all}\n  [USER.TELL.NOBODY]\n`,
  ]);
  for (const [index, step] of ["each[a]/call/look", "each[b]"].entries()) {
    const told = house.troupe(["tell", run, "--step", step, "hello", "--format", "json"]);
    expect((await told.ended).code).toBe(0);
    expect(JSON.parse(told.lines.join(""))).toMatchObject({ run: runs[index], step: "look", reach: "next turn" });
  }
  await api.post(`/api/runs/${run}/cancel`);
});

test("files that stand in the words of an editor are said with them; bytes are refused", async () => {
  const client = await SocketClient.ready(server.url);
  const session = await client.session(house.cwd);
  const turn = client.prompt(session, "/alone");
  await client.hears("started");
  const say = async (...blocks: object[]): Promise<Anything> =>
    (await client.request("session/prompt", { sessionId: session, prompt: blocks })).result;
  const text = (words: string) => ({ type: "text", text: words });
  const link = { type: "resource_link", uri: "file:///notes/style.md", name: "style.md" };
  expect(await say(text("/tell see "), link, text(" first"))).toEqual({ stopReason: "end_turn" });
  expect(JSON.stringify(updatesOf(client, session))).toContain("see [style.md](file:///notes/style.md) first");
  expect(await say(link, text("/tell mind"))).toEqual({ stopReason: "end_turn" });
  expect(JSON.stringify(updatesOf(client, session))).toContain("mind [style.md](file:///notes/style.md)");
  expect(await say(text("Sharing a.ts"), text("/tell heed"))).toEqual({ stopReason: "end_turn" });
  expect(JSON.stringify(updatesOf(client, session))).toContain(String.raw`heed\nSharing a.ts`);
  expect(
    await say(text("/tell like this"), { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" }),
  ).toMatchObject({ _meta: { "troupe/error": { code: "USER.PROMPT.UNSUPPORTED_BLOCK" } } });
  client.notify("session/cancel", { sessionId: session });
  await turn;
  await client.leave();
});
