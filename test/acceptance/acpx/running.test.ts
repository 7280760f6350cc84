/** acpx: every command that runs a prompt, in every format, from every source of a prompt. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Acpx } from "../../support/acpx.ts";
import { type House, openHouse } from "../../support/house.ts";
import { answered, asked } from "../../support/tape.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });
const PACKAGE = fileURLToPath(new URL("../../../node_modules/acpx", import.meta.url));
/** Every process whose environment names the test's house. */
function pidsOf({ root }: House): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(root);
      } catch {
        return false; // it has ended, or belongs to another user
      }
    })
    .map(Number);
}
const SAID = "Hello was said.";

let house: House;
let acpx: Acpx;
beforeAll(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/stubborn.yaml"]);
  acpx = new Acpx(house);
});
afterAll(async () => {
  const wires = await acpx.settled();
  await house.leave();
  expect(wires.length).toBeGreaterThan(0);
});

/** Where two messages cross, each side sees its own order. */
const sorted = (messages: readonly object[]): string[] => messages.map((one) => JSON.stringify(one)).sort();

test("exec shows the words, the plan and the cards; quiet shows the words alone; json every message", async () => {
  const text = await acpx.does("--suppress-reads", "exec", "/hello");
  for (const part of [SAID, "[tool] greet (completed)", "- [completed] greet", "[done] end_turn"])
    expect(text).toContain(part);
  expect(await acpx.does("--format", "quiet", "troupe", "exec", "/hello")).toBe(SAID);
  const strict = await acpx.run(["--json-strict", "--format", "json", "exec", "/hello"]);
  expect(strict).toMatchObject({ code: 0, err: "" });
  const messages = strict.out.split("\n").map((line) => JSON.parse(line) as object);
  const sent = acpx.last().sent.map(({ message }) => message);
  expect(sorted(messages)).toEqual(sorted(sent));
  // The list of commands may be announced again after it.
  expect(messages.filter((message) => "result" in message).at(-1)).toMatchObject({
    result: { stopReason: "end_turn" },
  });
  expect((await acpx.run(["--verbose", "exec", "/hello"])).err).toContain("initialize");
});

test("a prompt comes from a file and from standard input", async () => {
  const file = join(house.root, "prompt.txt");
  writeFileSync(file, "/hello\n");
  expect(await acpx.does("--format", "quiet", "exec", "--file", file)).toBe(SAID);
  expect(await acpx.run(["--format", "quiet", "exec", "-f", "-"], "/hello")).toMatchObject({ code: 0, out: SAID });
});

test("what its options say reaches the agent", async () => {
  const servers = join(house.root, "mcp.json");
  writeFileSync(servers, JSON.stringify({ mcpServers: [{ name: "s", command: "/bin/true", args: ["-x"], env: [] }] }));
  await acpx.does(
    ...["--mcp-config", servers, "--no-fs", "--no-terminal", "--auth-policy", "fail", "--prompt-retries", "2"],
    ...["--allowed-tools", "Read", "--max-turns", "2", "--system-prompt", "Be brief.", "exec", "/hello"],
  );
  const wire = acpx.last();
  expect(asked(wire, "initialize")).toMatchObject([
    { clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false } },
  ]);
  expect(asked(wire, "session/new")).toMatchObject([
    { mcpServers: [{ name: "s", command: "/bin/true" }], _meta: { systemPrompt: "Be brief." } },
  ]);
  expect(answered(wire, "session/prompt")).toEqual([{ stopReason: "end_turn" }]);
  await acpx.does("--append-system-prompt", "Be kind.", "exec", "/hello");
  expect(asked(acpx.last(), "session/new")).toMatchObject([{ _meta: { systemPrompt: { append: "Be kind." } } }]);
});

test("a time limit ends the prompt, and the agent with all that it started", async () => {
  expect(await acpx.run(["--timeout", "2", "exec", "/stubborn"])).toMatchObject({ code: 3 });
  await acpx.settled();
  // The end of the agent ends its children, which takes a moment.
  await expect.poll(() => pidsOf(house)).toEqual([]);
});

test("compare asks one agent after another", async () => {
  const [rows] = (await acpx.messages("compare", "troupe", "troupe", "/hello")) as unknown as object[][];
  const row = { agent: "troupe", status: "ok", stop_reason: "end_turn", final_message: SAID };
  expect(rows).toMatchObject([row, row]);
});

test("flow run goes through its nodes in one session", async () => {
  const own = join(house.root, "flows");
  mkdirSync(join(own, "node_modules"), { recursive: true });
  symlinkSync(PACKAGE, join(own, "node_modules", "acpx"));
  const flow = join(own, "greeting.flow.mjs");
  writeFileSync(
    flow,
    `import { acp, compute, defineFlow } from "acpx/flows";
    export default defineFlow({
      name: "greeting",
      startAt: "first",
      nodes: {
        first: acp({ prompt: ({ input }) => input.say }),
        second: acp({ prompt: ({ input }) => input.say }),
        end: compute({ run: ({ outputs }) => outputs.first + outputs.second }),
      },
      edges: [{ from: "first", to: "second" }, { from: "second", to: "end" }],
    });`,
  );
  const before = acpx.wires().length;
  const run = ["flow", "run", flow, "--default-agent", "troupe", "--input-json", '{"say":"/hello"}'];
  expect(await acpx.messages(...run)).toMatchObject([{ status: "completed", outputs: { end: SAID + SAID } }]);
  const made = acpx.wires().slice(before);
  expect(made.flatMap((wire) => asked(wire, "session/new"))).toHaveLength(1);
  const input = join(house.root, "input.json");
  writeFileSync(input, '{"say":"/hello"}');
  expect(await acpx.does("flow", "run", flow, "--input-file", input)).toContain("status: completed");
});
