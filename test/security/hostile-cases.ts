/**
 * What is sent to `troupe acp`, and the exact answer to it. `docs/hostile-input.md` shows this table; a test compares.
 *
 * `SESSION` in what is sent stands for an open session, `CWD` for its directory.
 */

/** An error: its code, whether it comes under the request's id, and its reason where a client may act on it. */
export type Refused = { code: number; id: unknown; reason?: string };
export type Expected = Refused | { result: object; id: unknown };
export type Case = { what: string; sent: string | Buffer; answers: Expected[] };

const line = (message: unknown): string => `${JSON.stringify(message)}\n`;
const request = (id: unknown, method: unknown, params: unknown = {}): string =>
  line({ jsonrpc: "2.0", id, method, params });
const notify = (method: string, params: unknown = {}): string => line({ jsonrpc: "2.0", method, params });
const NEW = { cwd: "CWD", mcpServers: [] };
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

const parse: Refused = { code: -32700, id: null };
const invalid: Refused = { code: -32600, id: null };
const unknown = (id: unknown): Refused => ({ code: -32601, id });
const params = (id: unknown): Refused => ({ code: -32602, id });
const large: Refused = { ...invalid, reason: "message_too_large" };
const deep: Refused = { ...invalid, reason: "too_deep" };
const many: Refused = { ...invalid, reason: "too_many_entries" };
/** An object of so many keys; the message around it has four more. */
const keys = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"${i}":0`).join(",")}}`;

export const CASES: readonly Case[] = [
  { what: "JSON that is cut off", sent: '{"jsonrpc":\n', answers: [parse] },
  { what: "a line that is no JSON", sent: "hello\n", answers: [parse] },
  { what: "an empty line", sent: "\n", answers: [] },
  { what: "a line of white space", sent: " \t \n", answers: [] },
  { what: "a number", sent: "42\n", answers: [invalid] },
  { what: "null", sent: "null\n", answers: [invalid] },
  { what: "a string", sent: '"x"\n', answers: [invalid] },
  { what: "an empty object", sent: "{}\n", answers: [invalid] },
  { what: "a batch", sent: `[${request(1, "no/such").trim()}]\n`, answers: [invalid] },
  { what: "an empty batch", sent: "[]\n", answers: [invalid] },
  { what: "an unknown method", sent: request(1, "no/such"), answers: [unknown(1)] },
  { what: "an unknown extension method", sent: request(1, "_no/such"), answers: [unknown(1)] },
  { what: "an unknown notification", sent: notify("no/such"), answers: [] },
  { what: "a `$/ping`, as some clients send", sent: notify("$/ping"), answers: [] },
  { what: "no `jsonrpc`", sent: line({ id: 1, method: "no/such" }), answers: [invalid] },
  { what: '`jsonrpc` "1.0"', sent: line({ jsonrpc: "1.0", id: 1, method: "no/such" }), answers: [invalid] },
  { what: "a method that is a number", sent: request(1, 5), answers: [invalid] },
  { what: "no method, result or error", sent: line({ jsonrpc: "2.0", id: 1 }), answers: [invalid] },
  { what: "an id that is null", sent: request(null, "no/such"), answers: [invalid] },
  { what: "an id that is a string", sent: request("a", "no/such"), answers: [unknown("a")] },
  { what: "an id that is an object", sent: request({ a: 1 }, "no/such"), answers: [invalid] },
  { what: "an id that is true", sent: request(true, "no/such"), answers: [invalid] },
  { what: "an id that is 1.5", sent: request(1.5, "no/such"), answers: [invalid] },
  { what: "an id that is 2^53", sent: request(2 ** 53, "no/such"), answers: [invalid] },
  { what: "an id of 2000 bytes", sent: request("x".repeat(2000), "no/such"), answers: [invalid] },
  {
    what: "two requests in flight with one id",
    sent: request(1, "session/new", NEW) + request(1, "session/new", NEW),
    answers: [
      { ...invalid, reason: "duplicate_id" },
      { id: 1, result: {} },
    ],
  },
  { what: "params that are an array", sent: request(1, "session/new", [1]), answers: [params(1)] },
  { what: "params that are a string", sent: request(1, "session/new", "x"), answers: [params(1)] },
  {
    what: "`session/new` without params",
    sent: line({ jsonrpc: "2.0", id: 1, method: "session/new" }),
    answers: [params(1)],
  },
  { what: "`session/new`, cwd a number", sent: request(1, "session/new", { ...NEW, cwd: 5 }), answers: [params(1)] },
  { what: "`session/new`, cwd relative", sent: request(1, "session/new", { ...NEW, cwd: "x" }), answers: [params(1)] },
  {
    what: "`session/new`, cwd not there",
    sent: request(1, "session/new", { ...NEW, cwd: "/no/such" }),
    answers: [params(1)],
  },
  { what: "`session/new` without mcpServers", sent: request(1, "session/new", { cwd: "CWD" }), answers: [params(1)] },
  {
    what: "`session/load` of an id that is a path",
    sent: request(1, "session/load", { ...NEW, sessionId: "../../../../etc/passwd\u0000" }),
    answers: [{ code: -32002, id: 1 }],
  },
  {
    what: "`session/load` of an unknown session",
    sent: request(1, "session/load", { ...NEW, sessionId: "no" }),
    answers: [{ code: -32002, id: 1 }],
  },
  {
    what: "`session/prompt` to an unknown session",
    sent: request(1, "session/prompt", { sessionId: "no", prompt: [] }),
    answers: [{ code: -32002, id: 1 }],
  },
  {
    what: "`session/prompt` without a prompt",
    sent: request(1, "session/prompt", { sessionId: "SESSION" }),
    answers: [params(1)],
  },
  {
    what: "`session/prompt` with an empty prompt",
    sent: request(1, "session/prompt", { sessionId: "SESSION", prompt: [] }),
    answers: [{ id: 1, result: { stopReason: "end_turn" } }],
  },
  { what: "`session/cancel` of an unknown session", sent: notify("session/cancel", { sessionId: "no" }), answers: [] },
  {
    what: "`session/cancel` with params that are a number",
    sent: line({ jsonrpc: "2.0", method: "session/cancel", params: 5 }),
    answers: [],
  },
  {
    what: "`session/cancel` as a request",
    sent: request(1, "session/cancel", { sessionId: "no" }),
    answers: [unknown(1)],
  },
  { what: "a response to an unknown id", sent: line({ jsonrpc: "2.0", id: 99, result: {} }), answers: [] },
  {
    what: "an error to an unknown id",
    sent: line({ jsonrpc: "2.0", id: "\u001b[2J\nx", error: { code: 1, message: "m" } }),
    answers: [],
  },
  {
    what: "a result and a method",
    sent: line({ jsonrpc: "2.0", id: 1, method: "no/such", result: {} }),
    answers: [unknown(1)],
  },
  {
    what: "a second `initialize`",
    sent: request(1, "initialize", { protocolVersion: 1 }),
    answers: [{ code: -32600, id: 1, reason: "already_initialized" }],
  },
  {
    what: "`__proto__` and `constructor` in params",
    sent: '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"CWD","mcpServers":[],"__proto__":{"cwd":"/"},"constructor":{"prototype":{"x":1}}}}\n',
    answers: [{ id: 1, result: {} }],
  },
  {
    what: "`__proto__`, escaped, in place of what is needed",
    sent: '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"\\u005f_proto__":{"cwd":"CWD","mcpServers":[]}}}\n',
    answers: [params(1)],
  },
  {
    what: "params nested 100,000 deep",
    sent: `{"jsonrpc":"2.0","id":1,"method":"no/such","params":${nested(100_000)}}\n`,
    answers: [deep],
  },
  {
    what: "params nested 129 deep",
    sent: `{"jsonrpc":"2.0","id":1,"method":"no/such","params":${nested(128)}}\n`,
    answers: [deep],
  },
  {
    what: "params nested 128 deep",
    sent: `{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"a":${nested(126)}}}\n`,
    answers: [unknown(1)],
  },
  {
    what: "a message of 100,001 keys",
    sent: `{"jsonrpc":"2.0","id":1,"method":"no/such","params":${keys(99_997)}}\n`,
    answers: [many],
  },
  {
    what: "a message of 100,000 keys",
    sent: `{"jsonrpc":"2.0","id":1,"method":"no/such","params":${keys(99_996)}}\n`,
    answers: [unknown(1)],
  },
  { what: "100,000 brackets that are never closed", sent: `${"[".repeat(100_000)}\n`, answers: [deep] },
  { what: "brackets in a string", sent: request(1, "no/such", { a: '\\"[{'.repeat(1000) }), answers: [unknown(1)] },
  { what: "a line that ends with CR LF", sent: request(1, "no/such").replace("\n", "\r\n"), answers: [unknown(1)] },
  {
    what: "invalid UTF-8",
    sent: Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"a":"'),
      Buffer.from([0xff, 0xfe, 0xc0]),
      Buffer.from('"}}\n'),
    ]),
    answers: [unknown(1)],
  },
  { what: "a NUL byte", sent: '{"jsonrpc":"2.0",\0"id":1,"method":"no/such"}\n', answers: [parse] },
  { what: "a byte order mark", sent: `\ufeff${request(1, "no/such")}`, answers: [unknown(1)] },
  { what: "a line of 9 MiB", sent: request(1, "no/such", { a: "x".repeat(9 << 20) }), answers: [unknown(1)] },
  { what: "a line of 10 MiB", sent: `${" ".repeat((10 << 20) - 2)}{}\n`, answers: [invalid] },
  { what: "a line of 10 MiB and a byte", sent: `${" ".repeat((10 << 20) - 1)}{}\n`, answers: [large] },
  { what: "a line of 11 MiB", sent: request(1, "no/such", { a: "x".repeat(11 << 20) }), answers: [large] },
  { what: "a line of 40 MiB", sent: request(1, "no/such", { a: "x".repeat(40 << 20) }), answers: [large] },
];

/** The answer as the document words it. */
export function worded(answers: readonly Expected[]): string {
  const one = (answer: Expected): string => {
    const under = answer.id === null ? ", id null" : "";
    if ("result" in answer) {
      const fields = Object.entries(answer.result).map(([name, value]) => ` \`${name}: ${JSON.stringify(value)}\``);
      return `the result${fields.join("")}`;
    }
    return `${answer.code}${under}${answer.reason === undefined ? "" : `, \`${answer.reason}\``}`;
  };
  return answers.length === 0 ? "silence" : answers.map(one).join("; ");
}
