/**
 * The SDK's client with every capability on and off, pair by pair, through the tour and through an agent that writes
 * and runs commands.
 *
 * C1. The tour ends, and every message is valid by the schema, with any capabilities of the client.
 * C2. What the client has advertised is used. Nothing else is called or sent.
 * C3. What we advertise is served. Everything else is refused.
 */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type ClientCapabilities,
  type ClientContext,
  type InitializeResponse,
  type McpServer,
  methods,
  type NewSessionRequest,
} from "@agentclientprotocol/sdk";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Message, updatesOf } from "../support/acp-editor.ts";
import { faultsOf, type Sent } from "../support/acp-schema.ts";
import { type House, openHouse } from "../support/house.ts";
import { ModelServer } from "../support/model-server/model-server.ts";
import { pairwise } from "../support/pairs.ts";
import { withSdk } from "../support/sdk-client.ts";

vi.setConfig({ testTimeout: 120_000 });
const EXAMPLES = fileURLToPath(new URL("../../docs/examples/", import.meta.url));
const DESK = `name: desk
states:
  initial: work
  work:
    type: agent
    provider: openai_compatible
    options: {model: m}
    mcp_proxy: {enable: true}
    prompt: '[[call:Write {"path":"new.txt","content":"new"}]] [[call:Bash {"command":"echo from the shell"}]]'
    on_success: done
  done: {type: terminal}
`;
const REPEAT = `name: repeat
inputs: [{name: text, type: string, required: true}]
states:
  initial: say
  say: {type: command, command: "echo {{.inputs.text}}", on_success: done}
  done: {type: terminal}
`;
const OPTIONAL = ["session/load", "session/resume", "session/list", "session/close", "session/delete"];
const OFFERS = {
  default: {},
  most: { fork: true, auth: { methods: [{ id: "key", name: "A key" }] } },
  least: { without: OPTIONAL },
} as const;

const FACTORS = {
  read: [undefined, false, true],
  write: [false, true],
  terminal: [false, true],
  elicitation: [undefined, { form: {} }, { url: {} }, { form: {}, url: {} }],
  booleans: [false, true],
  notices: [false, true],
  cursor: [false, true],
  output: [false, true],
  offer: Object.keys(OFFERS) as (keyof typeof OFFERS)[],
} as const;
type Row = ReturnType<typeof pairwise<typeof FACTORS>>[number];
const capabilitiesOf = ({
  read,
  write,
  terminal,
  elicitation,
  booleans,
  notices,
  cursor,
  output,
}: Row): ClientCapabilities => ({
  fs: { ...(read === undefined ? {} : { readTextFile: read }), writeTextFile: write },
  terminal,
  ...(elicitation === undefined ? {} : { elicitation }),
  session: {
    ...(booleans ? { configOptions: { boolean: {} } } : {}),
    ...(notices ? { notices: {}, compaction: {} } : {}),
  },
  _meta: { "troupe/cursor": cursor, terminal_output: output },
});

let server: ModelServer;
let house: House;
beforeAll(async () => {
  server = await ModelServer.start();
  house = openHouse([]);
  const folder = join(house.cwd, ".troupe", "workflows");
  for (const file of readdirSync(EXAMPLES)) copyFileSync(join(EXAMPLES, file), join(folder, file));
  writeFileSync(join(folder, "desk.yaml"), DESK);
  writeFileSync(join(folder, "repeat.yaml"), REPEAT);
  const config = join(house.root, "home", ".config", "troupe", "config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, JSON.stringify({ permissions: { default: "allow" }, editor: { write: true, terminal: true } }));
  for (const [name, offer] of Object.entries(OFFERS)) writeFileSync(offerFile(name), JSON.stringify(offer));
});
afterAll(async () => {
  await house.leave();
  await server.stop();
});
const offerFile = (name: string): string => join(house.root, `${name}.json`);
const environment = () => ({ TROUPE_TRUST: "1", OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "sk-local" });

const from = (trace: readonly Sent[], side: Sent["from"]): Message[] =>
  trace.filter((sent) => sent.from === side).map(({ message }) => message);
/** The requests of the agent, by method. */
const calledIn = (trace: readonly Sent[]): Set<unknown> =>
  new Set(from(trace, "agent").flatMap(({ id, method }) => (id !== undefined && method !== undefined ? [method] : [])));

test.each(pairwise(FACTORS))("what was advertised is used, and nothing else: %o", async (row) => {
  await withSdk(house, ["--config", offerFile(row.offer)], environment(), async (context, trace) => {
    const clientCapabilities = capabilitiesOf(row);
    const initialized = await context.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities });
    const session: NewSessionRequest = { cwd: house.cwd, mcpServers: [] };
    const { sessionId } = await context.request(methods.agent.session.new, session);
    const prompt = (text: string) =>
      context.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });

    expect(await prompt("/tour who=world")).toEqual({ stopReason: "end_turn" });
    expect(JSON.stringify(trace)).toContain("goodbye world");
    const asksForm = row.elicitation !== undefined && "form" in row.elicitation;
    expect("_meta" in (await prompt("/tour"))).toBe(!asksForm);
    expect(JSON.stringify(trace).includes("goodbye form")).toBe(asksForm);
    expect(await prompt("/desk")).toEqual({ stopReason: "end_turn" });

    expect([...calledIn(trace)].sort()).toEqual(
      [
        ...(asksForm ? ["elicitation/create"] : []),
        ...(row.write ? ["fs/write_text_file"] : []),
        ...(row.terminal ? ["create", "output", "release", "wait_for_exit"].map((name) => `terminal/${name}`) : []),
      ].sort(),
    );
    const said = JSON.stringify(from(trace, "agent"));
    expect(said.includes('"terminal_output"')).toBe(row.output);
    expect(said.includes('"_troupe/cursor"')).toBe(row.cursor);
    expect(said).toContain(row.terminal ? "from the editor" : "from the shell");
    const updates = updatesOf(trace).map(({ update }) => update["sessionUpdate"]);
    if (!row.notices) for (const kind of ["notice", "compaction_update"]) expect(updates).not.toContain(kind);
    if (!row.booleans) expect(said).not.toContain('"type":"boolean"');

    await serves(context, initialized, { sessionId, ...session });
    expect(faultsOf(trace, ["agent"], ["session/fork"])).toEqual([]);
  });
});

type At = { sessionId: string; cwd: string; mcpServers: McpServer[] };
/** Every method that `initialize` may name is served exactly where it does (C3). */
async function serves(
  context: ClientContext,
  { agentCapabilities, authMethods }: InitializeResponse,
  at: At,
): Promise<void> {
  const { loadSession, promptCapabilities, sessionCapabilities, auth, _meta } = agentCapabilities ?? {};
  const named = (name: string): boolean => Object.hasOwn(sessionCapabilities ?? {}, name);
  const { sessionId } = at;
  const isServed = async (method: string, params: object): Promise<boolean> =>
    await context.request(method, params).then(
      () => true,
      (error: { code: number }) => {
        // Its parameters lack the words. Only a method that is served notices that.
        if (method === "_troupe/tell") return error.code === -32602;
        expect([method, error.code]).toEqual([method, -32601]);
        return false;
      },
    );
  const rows: [method: string, params: object, advertised: boolean][] = [
    ["session/list", {}, named("list")],
    ["session/fork", at, named("fork")],
    ["session/load", at, loadSession === true],
    ["session/resume", at, named("resume")],
    ["session/new", { ...at, additionalDirectories: [house.root] }, named("additionalDirectories")],
    ...((_meta?.["troupe/methods"] ?? []) as string[]).map((name): (typeof rows)[number] => [
      name,
      { sessionId },
      true,
    ]),
    ["authenticate", { methodId: authMethods?.[0]?.id ?? "key" }, (authMethods ?? []).length > 0],
    ["logout", {}, auth?.logout !== undefined && auth.logout !== null],
    ["session/close", { sessionId }, named("close")],
    ["session/delete", { sessionId }, named("delete")],
  ];
  const ended = await context.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [
      { type: "text", text: "/repeat this" },
      { type: "resource", resource: { uri: "file:///a", text: "embedded" } },
    ],
  });
  expect(ended._meta?.["troupe/error"] === undefined).toBe(promptCapabilities?.embeddedContext === true);
  for (const [method, params, advertised] of rows)
    expect([method, await isServed(method, params)]).toEqual([method, advertised]);
}
