/**
 * What a client may send, right and wrong: every method that is served, answers to what it was asked, and lines that are
 * no messages. A text `$session:N`, `$open:N` or `$cwd` stands for something that exists only when the frame is sent.
 */
import fc from "fast-check";
import { type Json, junk, perhapsWrong } from "./values.ts";

export type Frame =
  | { kind: "request"; id: Json | undefined; method: Json; params: Json; more: Json }
  | { kind: "notification"; method: string; params: Json }
  | { kind: "response"; to: number; body: Json; isError: boolean }
  | { kind: "again" }
  | { kind: "line"; bytes: Uint8Array };

const just = (value: Json): fc.Arbitrary<Json> => fc.constant(value);
const record = (fields: { [name: string]: fc.Arbitrary<Json> }): fc.Arbitrary<Json> =>
  fc.record(fields) as fc.Arbitrary<Json>;
const list = (of: fc.Arbitrary<Json>, max: number): fc.Arbitrary<Json> => fc.array(of, { maxLength: max });
const one = (...values: Json[]): fc.Arbitrary<Json> => fc.constantFrom(...values);

const session = fc.nat(7).map((n): Json => `$session:${n}`);
const cwd = one("$cwd", "$cwd", "$cwd", "/", "relative", "/no/such");
const pairs = list(record({ name: one("A", "TOKEN", ""), value: one("b", "") }), 2);
const server = fc.oneof(
  record({ name: one("s", "t"), command: one("/bin/true", "no-such"), args: list(one("-x"), 2), env: pairs }),
  record({ name: just("h"), type: one("http", "sse"), url: one("http://127.0.0.1:9", "no url"), headers: pairs }),
);
const setup = { cwd, mcpServers: list(server, 2), additionalDirectories: list(one("/", "$cwd"), 2) };
const block = fc.oneof(
  record({
    type: just("text"),
    text: one("/hello", "/asks", "/asks --input=who=you", "/talk", "blue", "hi", "/no-such", "/", "/asks who='x"),
  }),
  record({ type: just("resource_link"), uri: one("file:///etc/passwd", "x:y"), name: one("n", "") }),
  record({ type: just("resource"), resource: record({ uri: just("file:///a"), text: one("t", "``````") }) }),
  record({ type: one("image", "audio", "video"), data: one("AAAA", "?"), mimeType: one("image/png", "a/b") }),
);
const command = record({ type: just("text"), text: one("/hello", "/asks", "/asks --input=who=you", "/talk", "blue") });

const METHODS: readonly (readonly [method: string, weight: number, params: fc.Arbitrary<Json>])[] = [
  ["initialize", 2, record({ protocolVersion: one(1, 0, 99), clientCapabilities: one({}, { terminal: true }) })],
  ["authenticate", 2, record({ methodId: one("key", "open", "no") })],
  ["logout", 1, just({})],
  ["session/new", 4, record(setup)],
  ["session/load", 3, record({ ...setup, sessionId: session })],
  ["session/resume", 3, record({ ...setup, sessionId: session })],
  ["session/fork", 2, record({ ...setup, sessionId: session })],
  ["session/list", 3, record({ cwd: one("$cwd", "/"), cursor: one(null, "x", "") })],
  ["session/prompt", 3, record({ sessionId: session, prompt: list(block, 3) })],
  ["session/prompt", 3, record({ sessionId: session, prompt: command.map((text): Json => [text]) })],
  ["session/set_mode", 3, record({ sessionId: session, modeId: one(":default", "reviewer", "no") })],
  [
    "session/set_config_option",
    4,
    record({
      sessionId: session,
      configId: one("mode", "model", "thought_level", "permissions", "workflow", "no"),
      value: one(":default", "low", "hello", "reviewer", true),
    }),
  ],
  ["session/set_model", 2, record({ sessionId: session, modelId: one(":default", "x/y") })],
  ["session/close", 2, record({ sessionId: session })],
  ["session/delete", 2, record({ sessionId: session })],
  ["session/cancel", 1, record({ sessionId: session })],
  ["_troupe/session/export", 3, record({ sessionId: session, format: one("jsonl", "xml"), after: one(0, 5, 1e9) })],
  ["_troupe/session/stop", 2, record({ sessionId: session })],
  ["session/export", 1, record({ sessionId: session })],
  ["no/such", 1, just({})],
  ["toString", 1, just({})],
  ["__proto__", 1, just({})],
  ["_vendor/x", 1, just({})],
];
const id: fc.Arbitrary<Json | undefined> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: junk },
  { weight: 1, arbitrary: fc.constantFrom<Json>(0, "0", -1, "", "__proto__", "\ud800", 2 ** 53 - 1, "x".repeat(1024)) },
);
const request = fc
  .oneof(
    ...METHODS.map(([method, weight, params]) => ({ weight, arbitrary: fc.tuple(just(method), perhapsWrong(params)) })),
  )
  .chain(([method, params]) =>
    fc.record({
      kind: fc.constant("request" as const),
      id,
      method: fc.oneof({ weight: 30, arbitrary: just(method) }, { weight: 1, arbitrary: junk }),
      params: just(params),
      more: fc.oneof(
        { weight: 15, arbitrary: just({}) },
        { weight: 1, arbitrary: record({ jsonrpc: junk }) },
        { weight: 1, arbitrary: record({ result: junk, error: junk }) },
        { weight: 1, arbitrary: perhapsWrong(just({ _meta: {}, extra: 1 })) },
      ),
    }),
  );
const notification = fc
  .oneof(
    fc.tuple(fc.constant("session/cancel"), perhapsWrong(record({ sessionId: session }))),
    fc.tuple(
      fc.constant("$/cancel_request"),
      perhapsWrong(record({ requestId: fc.nat(9).map((n): Json => `$open:${n}`) })),
    ),
    fc.tuple(fc.constantFrom("session/prompt", "initialize", "no/such", "_x", "session/update"), junk),
  )
  .map(([method, params]) => ({ kind: "notification" as const, method, params }));

const body = perhapsWrong(
  one(
    { outcome: { outcome: "cancelled" } },
    { outcome: { outcome: "selected", optionId: "allow_once" } },
    { outcome: { outcome: "selected", optionId: "reject_once" } },
    { outcome: { outcome: "selected", optionId: "none of them" } },
    { action: "accept", content: { who: "you" } },
    { action: "decline" },
  ),
);
const response = fc.record({ kind: fc.constant("response" as const), to: fc.nat(9), body, isError: fc.boolean() });

const NEWLINE = 10;
const line = fc
  .oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .constantFrom("{", '{"jsonrpc":"2.0"', "[]", "[{}]", "null", "7", '"x"', "", " \t", "{}", "[".repeat(5_000))
      .map((t) => Buffer.from(t)),
    fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
    // A message that is cut off.
    fc
      .integer({ min: 1, max: 90 })
      .map((length) =>
        Buffer.from(
          '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}'.slice(0, length),
        ),
      ),
  )
  .map((bytes) => ({ kind: "line" as const, bytes: Uint8Array.from(bytes).filter((byte) => byte !== NEWLINE) }));

/** One thing that a client sends. */
export const frame: fc.Arbitrary<Frame> = fc.oneof(
  { weight: 20, arbitrary: request },
  { weight: 3, arbitrary: notification },
  { weight: 3, arbitrary: response },
  { weight: 1, arbitrary: fc.constant({ kind: "again" as const }) },
  { weight: 3, arbitrary: line },
);
