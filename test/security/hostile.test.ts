/**
 * T9, T10, T28: hostile input for a real `troupe acp`. Each case has exactly its answer, silence included, and the
 * next request is served. The same with each defence switched off: `defences.test.ts`.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { CASES, type Expected, worded } from "./hostile-cases.ts";
import { type Message, Wire } from "./support.ts";

vi.setConfig({ testTimeout: 120_000 });
const MiB = 1024 * 1024;

let house: House;
let wire: Wire;
let session: string;
let probes = 0;

const request = (id: unknown, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

async function opened(): Promise<{ wire: Wire; session: string }> {
  const one = new Wire(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  await one.write(request("i", "initialize", { protocolVersion: 1 }));
  await one.until(0, ({ id }) => id === "i");
  await one.write(request("n", "session/new", { cwd: house.cwd, mcpServers: [] }));
  const { result } = await one.until(1, ({ id }) => id === "n");
  return { wire: one, session: (result as { sessionId: string }).sessionId };
}
beforeAll(async () => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/stubborn.yaml"]);
  ({ wire, session } = await opened());
});
afterAll(() => house.leave());

/** Sends bytes and then a request; answers what came before that request's answer, and for it. */
async function answersTo(sent: string | Buffer, write: (bytes: Buffer) => Promise<void>): Promise<Message[]> {
  const from = wire.agent.lines.length;
  await write(Buffer.from(sent));
  const id = `probe ${++probes}`;
  // A session takes longer to open than anything here to be refused.
  await wire.write(request(id, "session/new", { cwd: house.cwd, mcpServers: [] }));
  const served = await wire.until(from, (message) => message["id"] === id);
  expect(served).toMatchObject({ result: {} });
  return wire.since(from).filter((message) => message["id"] !== id && message["method"] !== "session/update");
}
const shape = (message: Message): object => {
  const { id, error, result } = message as {
    id: unknown;
    error?: { code: number; data?: { reason?: string } };
    result?: object;
  };
  if (error === undefined) return { id, result };
  const { reason } = error.data ?? {};
  return { id, code: error.code, ...(reason === undefined ? {} : { reason }) };
};
const expected = (answers: readonly Expected[]): unknown =>
  answers.map((one) => ("result" in one ? { id: one.id, result: expect.objectContaining(one.result) } : one));
const filled = (sent: string | Buffer): string | Buffer =>
  typeof sent === "string" && sent.length < 10_000
    ? sent.replace("SESSION", session).replaceAll("CWD", house.cwd)
    : sent;

describe("troupe acp", () => {
  test.each(CASES.map((one) => [one.what, one] as const))("%s", async (_, { sent, answers }) => {
    const got = await answersTo(filled(sent), (bytes) => wire.write(bytes));
    expect(got.map(shape)).toEqual(expected(answers));
    // Nothing that was refused is repeated at length.
    for (const message of got) expect(JSON.stringify(message).length).toBeLessThan(4_096);
  });

  test("a message that arrives one byte at a time", async () => {
    const got = await answersTo(request(1, "no/such", { a: "é漢👩" }), async (bytes) => {
      for (const byte of bytes) await wire.write(Buffer.from([byte]));
    });
    expect(got.map(shape)).toEqual([{ id: 1, code: -32601 }]);
  });

  test("a prompt during a prompt: the second is refused, the first continues until it is cancelled", async () => {
    const from = wire.agent.lines.length;
    const prompt = (id: number) =>
      request(id, "session/prompt", { sessionId: session, prompt: [{ type: "text", text: "/stubborn" }] });
    await wire.write(prompt(1) + prompt(2));
    expect(shape(await wire.until(from, ({ id }) => id === 2))).toEqual({
      id: 2,
      code: -32600,
      reason: "prompt_in_flight",
    });
    await wire.until(from, (message) => JSON.stringify(message).includes("first up"));
    await wire.write(
      `${JSON.stringify({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: session } })}\n`,
    );
    expect(await wire.until(from, ({ id }) => id === 1)).toMatchObject({ result: { stopReason: "cancelled" } });
  });

  test("a session before initialize, odd versions, an initialize without params; then it can begin", async () => {
    const fresh = new Wire(house.troupe(["acp"]));
    await fresh.write(request(1, "session/new", { cwd: house.cwd, mcpServers: [] }));
    expect(shape(await fresh.until(0, ({ id }) => id === 1))).toEqual({ id: 1, code: -32600 });
    await fresh.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "initialize" })}\n`);
    expect(shape(await fresh.until(0, ({ id }) => id === 2))).toEqual({ id: 2, code: -32602 });
    await fresh.write(request(3, "initialize", { protocolVersion: "x" }));
    expect(shape(await fresh.until(0, ({ id }) => id === 3))).toEqual({ id: 3, code: -32602 });
    await fresh.write(request(4, "initialize", { protocolVersion: 999 }));
    expect(await fresh.until(0, ({ id }) => id === 4)).toMatchObject({ result: { protocolVersion: 1 } });
    await fresh.write(request(5, "session/new", { cwd: house.cwd, mcpServers: [] }));
    expect(await fresh.until(0, ({ id }) => id === 5)).toMatchObject({ result: {} });
    fresh.agent.child.stdin.end();
    expect(await fresh.agent.ended).toEqual({ code: 0, signal: null });
  });

  test("stderr has one line of the SDK's for a wrong notification, without its values, and nothing else", () =>
    expect(wire.agent.stderr).toBe(
      "Error handling notification { method: 'session/cancel', code: -32602, message: 'Invalid params' }\n",
    ));
});

/** The whole gigabyte where it is asked for: `TROUPE_TEST_FULL=1`. */
const SIZE = process.env["TROUPE_TEST_FULL"] === "1" ? 1024 * MiB : 256 * MiB;

test.runIf(process.platform === "linux")(
  `T9 ${SIZE / MiB} MiB without a newline grow the process by less than 40 MiB`,
  async () => {
    const { wire: one } = await opened();
    const chunk = Buffer.alloc(64 * 1024, "x");
    const resident = (): number =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one.agent.child.pid}/status`, "utf8"))?.[1]) * 1024;
    // Up to the limit a line is held, and pools of the runtime fill: that is no growth with the line.
    for (let sent = 0; sent < 11 * MiB; sent += chunk.length) await one.write(chunk);
    const before = resident();
    let most = before;
    for (let sent = 0; sent < SIZE; sent += chunk.length) {
      await one.write(chunk);
      most = Math.max(most, resident());
    }
    const from = one.agent.lines.length;
    await one.write(`\n${request("after", "session/new", { cwd: house.cwd, mcpServers: [] })}`);
    expect(await one.until(from, ({ id }) => id === "after")).toMatchObject({ result: {} });
    expect(
      one
        .since(from)
        .filter(({ id }) => id === null)
        .map(shape),
    ).toEqual([{ id: null, code: -32600, reason: "message_too_large" }]);
    expect((most - before) / MiB).toBeLessThan(40);
  },
);

test("the document shows every case with its answer", () => {
  const document = readFileSync(fileURLToPath(new URL("../../docs/hostile-input.md", import.meta.url)), "utf8");
  const rows = CASES.map(({ what, answers }) => `| ${what} | ${worded(answers)} |`);
  expect(document.split("\n").filter((line) => rows.includes(line))).toEqual(rows);
});
