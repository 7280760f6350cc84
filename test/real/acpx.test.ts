/** Claude Code behind `troupe acp`, driven by acpx, a headless ACP client by other authors. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type House, openHouse, PROGRAM } from "../support/house.ts";
import { ModelServer, saidTo } from "../support/model-server/model-server.ts";
import { Started } from "../support/started.ts";
import { claudeEnvironment } from "./subjects/claude.ts";

const ACPX = fileURLToPath(new URL("../../node_modules/.bin/acpx", import.meta.url));

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

type Update = { sessionUpdate: string; [name: string]: unknown };
const updatesIn = (lines: readonly string[]): Update[] =>
  lines.flatMap((line) => {
    const { params } = JSON.parse(line) as { params?: { update?: Update } };
    return params?.update === undefined ? [] : [params.update];
  });
const textOf = (updates: readonly Update[], kind: string): string =>
  updates
    .filter(({ sessionUpdate }) => sessionUpdate === kind)
    .map(({ content }) => (content as { text?: string }).text ?? "")
    .join("");

it("shows thinking, a tool call with its result, text and usage of two steps of one conversation", async () => {
  const agent = [process.execPath, PROGRAM, "acp"].join(" ");
  const prompt = '/two-agents first="[[think]] [[tool:echo hi-from-tool]] token=ALPHA" second="token=BETA"';
  const options = ["--cwd", house.cwd, "--agent", agent, "--approve-all", "--format", "json"];
  const env = { ...house.env, ...claudeEnvironment(server, house.env["HOME"] ?? ""), TROUPE_TRUST: "1" };
  const acpx = new Started([process.execPath, ACPX, ...options, "exec", prompt], { cwd: house.cwd, env });
  expect({ ...(await acpx.ended), stderr: acpx.stderr }).toMatchObject({ code: 0, signal: null });

  const updates = updatesIn(acpx.lines);
  expect(textOf(updates, "agent_thought_chunk")).toContain("Let me think about this.");
  expect(textOf(updates, "agent_message_chunk")).toContain("The tool returned: hi-from-tool. All done.");
  expect(textOf(updates, "agent_message_chunk")).toContain("turn 2. You said: token=BETA.");
  const call = updates.find(({ sessionUpdate, kind }) => sessionUpdate === "tool_call" && kind === "execute");
  const changes = updates.filter(({ toolCallId }) => toolCallId === call?.["toolCallId"]);
  expect(changes.map(({ title }) => title)).toContain("echo hi-from-tool");
  expect(changes.at(-1)).toMatchObject({
    status: "completed",
    content: [{ type: "content", content: { type: "text", text: "hi-from-tool" } }],
  });
  expect(updates.some(({ sessionUpdate }) => sessionUpdate === "usage_update")).toBe(true);
  expect(saidTo((await server.requests()).at(-1)!)).toContain("token=ALPHA");
});
