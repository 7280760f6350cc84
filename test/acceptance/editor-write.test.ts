/**
 * `editor: {write: true}`: what an agent writes through Troupe is written by the editor, so that it shows for review.
 *
 * W1. Only where the user has configured it and the editor has advertised it; otherwise the file is written here.
 * W2. An editor that refuses fails the write, and the file is as it was.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor, type Message } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse } from "../support/house.ts";

const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));
const WORKFLOW = `name: write
inputs: [{name: file, type: string, required: true}]
states:
  initial: a
  a: {type: agent, provider: acp, options: {agent: scribe}, prompt: "write {{.inputs.file}}", on_success: z}
  z: {type: terminal}
`;

let house: House;
beforeEach(() => {
  house = openHouse([]);
  writeFileSync(join(house.cwd, ".troupe", "workflows", "write.yaml"), WORKFLOW);
});
afterEach(() => house.leave());

function configure(write: boolean): void {
  const folder = join(house.env["HOME"] ?? "", ".config", "troupe");
  mkdirSync(folder, { recursive: true });
  const agent = { command: process.execPath, args: [AGENT], files: "write" };
  const config = { agents: { acp: { scribe: agent } }, permissions: { default: "allow" }, editor: { write } };
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
}
/** What the editor was asked to write, and what the agent said of it. */
async function written({ offers = true, answer = {} as Message } = {}) {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1", TROUPE_TRUST_AGENTS: "scribe" }));
  const asked: Message[] = [];
  void editor
    .sees(({ from, message }) => from === "agent" && message["method"] === "fs/write_text_file")
    .then(({ message }) => {
      asked.push(message["params"] as Message);
      editor.agent.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: message["id"], ...answer })}\n`);
    })
    .catch(() => undefined);
  const clientCapabilities = { fs: { writeTextFile: offers } };
  await editor.request("initialize", { protocolVersion: 1, clientCapabilities });
  const session = await editor.open(house.cwd);
  const file = join(house.cwd, "new.txt");
  const { result } = await editor.prompt(session, `/write file=${file}`);
  expect(result).toMatchObject({ stopReason: "end_turn" });
  await editor.leave();
  expect(faultsOf(editor.trace)).toEqual([]);
  const said = editor.trace.flatMap(({ message }) => {
    const update = (message["params"] as { update?: Message } | undefined)?.update;
    return update?.["sessionUpdate"] === "agent_message_chunk" ? [(update["content"] as { text: string }).text] : [];
  });
  return { asked, session, file, said: said.join("") };
}

test("the editor writes where it is configured and offered (W1)", async () => {
  configure(true);
  const { asked, session, file, said } = await written({ answer: { result: null } });
  expect(asked).toEqual([{ sessionId: session, path: file, content: "written" }]);
  expect([said, existsSync(file)]).toEqual(["{}", false]);
});

test.each([
  ["not configured", false, true],
  ["not offered", true, false],
])("the file is written here where it is %s (W1)", async (_, configured, offers) => {
  configure(configured);
  const { asked, file, said } = await written({ offers });
  expect([asked, said, readFileSync(file, "utf8")]).toEqual([[], "{}", "written"]);
});

test("an editor that refuses fails the write (W2)", async () => {
  configure(true);
  const { asked, file, said } = await written({ answer: { error: { code: -32603, message: "read-only buffer" } } });
  expect(asked).toHaveLength(1);
  expect(said).toContain("read-only buffer");
  expect(existsSync(file)).toBe(false);
});
