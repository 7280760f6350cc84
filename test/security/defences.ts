/** What a client on stdio is defended against, how each defence is taken out of the sources, and the attack it stops. */
import { fitsGlob } from "../../actors/base/globs.ts";
import {
  consent,
  deep,
  firstValue,
  heard,
  isAssigned,
  isCommandTaken,
  isSetUp,
  isSpoofed,
  large,
  lasts,
  opens,
  passes,
  request,
  response,
  servers,
  wide,
  withSession,
} from "./attacks.ts";
import type { Defence } from "./defence.ts";
import { MCP_DEFENCES } from "./mcp-defences.ts";

const PARSER = "machines/prompt/slash-command.ts";
const FRAMER = "transports/acp/framer.ts";
const GATE = "transports/acp/request-gate.ts";
const CONSENT = "projections/acp/consent.ts";
const SETUP = "actors/facade/sessions/setup.ts";

export const DEFENCES: readonly Defence[] = [
  {
    threat: "T8",
    attack: "an input given twice, of which one is shown and the other used",
    stops: "the parser refuses it",
    without: [{ file: PARSER, from: "if (this.#names.has(name)) throw", to: "if (false) throw" }],
    succeeds: () => isCommandTaken("/x k=1 k=2"),
  },
  {
    threat: "T8",
    attack: "a quote that is never closed",
    stops: "the parser refuses it",
    without: [
      {
        file: PARSER,
        from: "if (!read.ok) {",
        to: "if (!read.ok) { this.#at = this.#source.length; return { text: this.#source.slice(read.open), escaped: false, end: this.#source.length };",
      },
    ],
    succeeds: () => isCommandTaken("/x k='a"),
  },
  {
    threat: "T8",
    attack: "a value cut at its second `=`",
    stops: "the first `=` splits",
    without: [
      {
        file: PARSER,
        from: 'const equals = text.indexOf("=");\n    const name',
        to: 'const equals = text.lastIndexOf("=");\n    const name',
      },
    ],
    succeeds: () => firstValue("/x k=a=b") !== "a=b",
  },
  {
    threat: "T8",
    attack: "a command of more than a mebibyte, or of 300 inputs",
    stops: "limits of lengths",
    without: [
      { file: PARSER, from: "text.length > COMMAND_LIMITS.text", to: "false" },
      { file: PARSER, from: "this.#arguments.length >= COMMAND_LIMITS.arguments", to: "false" },
    ],
    succeeds: () =>
      isCommandTaken(`/x k=${"v".repeat(1024 * 1024)}`) ||
      isCommandTaken(
        `/x ${servers.map(({ name }) => ["", "a", "b", "c", "d"].map((x) => `${name}${x}=1`).join(" ")).join(" ")}`,
      ),
  },
  {
    threat: "T8",
    attack: "an input that the workflow does not declare",
    stops: "only declared names are assigned",
    without: [
      {
        file: "machines/prompt/assign-inputs.ts",
        from: "if (!inputs.some((input) => input.name === name))",
        to: "if (false)",
      },
    ],
    succeeds: () => isAssigned("PATH"),
  },
  {
    threat: "T9",
    attack: "a line of more than 10 MiB",
    stops: "the framer drops it while it arrives",
    without: [{ file: FRAMER, from: "MAX_LINE_BYTES = 10 * 1024 * 1024", to: "MAX_LINE_BYTES = 2 ** 40" }],
    succeeds: () => heard(...large).length > 0,
  },
  {
    threat: "T9",
    attack: "brackets nested 200 deep",
    stops: "the shape of a text is seen before it is parsed",
    without: [{ file: FRAMER, from: "shapeFault(text)", to: "null" }],
    succeeds: () => heard(deep).length > 0,
  },
  {
    threat: "T9",
    attack: "a message of more than 100,000 keys and items",
    stops: "the shape of a text is seen before it is parsed",
    without: [{ file: FRAMER, from: "shapeFault(text)", to: "null" }],
    succeeds: () => heard(wide).length > 0,
  },
  {
    threat: "T10",
    attack: "`__proto__` in a message, plain and escaped",
    stops: "the parser drops it",
    without: [{ file: FRAMER, from: "parseJson(text)", to: "JSON.parse(text)" }],
    succeeds: () =>
      heard('{"a":{"__proto__":{"x":1}}}\n', '{"a":{"\\u005f_proto__":{"x":1}}}\n').some(
        ({ a }) => (Object.assign({}, a) as { x?: number }).x === 1,
      ),
  },
  {
    threat: "T17",
    attack: "a session of another principal",
    stops: "sessions are found for their principal alone",
    without: [
      {
        file: "actors/troupe.ts",
        from: "found?.principal === this.#owner ?",
        to: "found !== undefined ?",
      },
    ],
    succeeds: () => withSession((troupe, session) => opens(troupe.as("mallory"), session)),
  },
  {
    threat: "T17",
    attack: "an answer to a question that this client was not asked",
    stops: "the gate drops answers to nothing",
    without: [{ file: GATE, from: 'this.#asked.delete(message["id"]) ? PASS : DROP', to: "PASS" }],
    succeeds: () => passes([response]),
  },
  {
    threat: "T22",
    attack: "a pattern of file names that takes minutes to try, or stands for a million names",
    stops: "each part of a glob is tried at each place once, and braces are counted",
    without: [
      {
        file: "actors/base/globs.ts",
        from: "const made = globOf(glob, { caseless });",
        to: 'const made = { ok: true as const, fits: (path: string) => process.getBuiltinModule("node:path").matchesGlob(path, glob) };',
      },
    ],
    succeeds: () =>
      [`${"*a".repeat(6)}b`, "{a,b}".repeat(13)].some((glob) => lasts(() => fitsGlob("a".repeat(50), glob))),
  },
  {
    threat: "T25",
    attack: "an answer given a second time",
    stops: "the gate lets one through",
    without: [{ file: GATE, from: 'this.#asked.delete(message["id"])', to: 'this.#asked.has(message["id"])' }],
    succeeds: () => passes([response, response], [7]),
  },
  {
    threat: "T25",
    attack: "a command that closes the fence it is shown in",
    stops: "the fence is longer than any in it",
    without: [{ file: CONSENT, from: '"`".repeat(longest + 1)', to: '"```"' }],
    succeeds: () => isSpoofed("rm -rf /\n```\nread the README"),
  },
  {
    threat: "T25",
    attack: "a command of 300 lines whose end is harmful",
    stops: "it is shown whole",
    without: [
      {
        file: CONSENT,
        from: "fenced(safeConsent(inputText(deed)))",
        to: "fenced(safeConsent(inputText(deed).slice(0, 300)))",
      },
    ],
    succeeds: () => isSpoofed(`${"true\n".repeat(300)}rm -rf /`),
  },
  {
    threat: "T25",
    attack: "a command that reads backwards, or has parts of no width",
    stops: "what cannot be seen is written out",
    without: [{ file: CONSENT, from: "fenced(safeConsent(inputText(deed)))", to: "fenced(inputText(deed))" }],
    succeeds: () => /[\u202e\u200b]/.test(consent("a\u202eb\u200b")),
  },
  {
    threat: "T28",
    attack: "two requests in flight with one id",
    stops: "the gate refuses the second",
    without: [{ file: GATE, from: "if (this.#open.has(id)) return", to: "if (false) return" }],
    succeeds: () => passes([request(1, "a"), request(1, "b")]),
  },
  {
    threat: "T28",
    attack: "ids that no answer could carry: null, 1.5, 2^53, 2,000 bytes",
    stops: "the gate refuses them",
    without: [{ file: GATE, from: "if (!isId(id)) return", to: "if (false) return" }],
    succeeds: () => [null, 1.5, 2 ** 53, "x".repeat(2_000)].some((id) => passes([request(id, "a")])),
  },
  {
    threat: "T28",
    attack: "a second `initialize`",
    stops: "the gate refuses it",
    without: [{ file: GATE, from: 'if (method === "initialize" && (', to: "if (false && (" }],
    succeeds: () => passes([request(1, "initialize"), request(2, "initialize")]),
  },
  {
    threat: "T28",
    attack: "65 servers, or directories, and one that is relative",
    stops: "a session's setup is checked",
    without: [
      { file: SETUP, from: "mcpServers.length > MAX_SERVERS", to: "false" },
      { file: SETUP, from: "additionalDirectories.length > MAX_DIRECTORIES", to: "false" },
      { file: SETUP, from: "if (!isAbsolute(directory))", to: "if (false)" },
    ],
    succeeds: () =>
      isSetUp({ mcpServers: servers }) ||
      isSetUp({ additionalDirectories: servers.map(() => "/") }) ||
      isSetUp({ additionalDirectories: ["../.."] }),
  },
  {
    threat: "T29",
    attack: "a session id that is a path",
    stops: "ids are looked up, and name no file",
    without: [
      {
        file: "actors/troupe.ts",
        from: "runtime.host.sessions.find(`session/${id}`)",
        to: 'runtime.host.sessions.find(`session/${id.split("/").at(-1)}`)',
      },
    ],
    succeeds: () => withSession((troupe, session) => opens(troupe.as("owner"), `../../${session}`)),
  },
  ...MCP_DEFENCES,
];
