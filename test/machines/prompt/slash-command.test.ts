import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Argument,
  COMMAND_LIMITS,
  isCommand,
  parseCommand,
  printCommand,
} from "../../../machines/prompt/slash-command.ts";

/** The arguments of a command that must be read. */
function read(text: string): Argument[] {
  const parsed = parseCommand(text);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return parsed.arguments;
}

/** The fault of a command that must be refused. */
function fault(text: string): string {
  const parsed = parseCommand(text);
  if (parsed.ok) throw new Error(`read as ${JSON.stringify(parsed)}`);
  return `${parsed.fault.code} ${parsed.fault.message}`;
}

const pair = (name: string, value: string): Argument => ({ name, value });

describe("parseCommand", () => {
  test.each<[string, Argument[]]>([
    ["/x", []],
    ["  /x  ", []],
    ["/x --input=k=v", [pair("k", "v")]],
    ["/x --input k=v", [pair("k", "v")]],
    ["/x -i k=v -i=l=w", [pair("k", "v"), pair("l", "w")]],
    ["/x k=v\n\tl=w", [pair("k", "v"), pair("l", "w")]],
    ["/x --input=a=b=c", [pair("a", "b=c")]],
    ["/x k=", [pair("k", "")]],
    ["/x k=\"a b\" l='c  d'", [pair("k", "a b"), pair("l", "c  d")]],
    ["/x \"k=a b\" '--input=l=c d'", [pair("k", "a b"), pair("l", "c d")]],
    ['/x --input "k=a b"', [pair("k", "a b")]],
    ["/x k=a\\ b", [pair("k", "a b")]],
    ['/x k="say \\"hi\\" \\\\ \\n"', [pair("k", 'say "hi" \\ \\n')]],
    ["/x k=pre'mid dle'post", [pair("k", "premid dlepost")]],
    ["/x k=C:\\dir\\file", [pair("k", "C:\\dir\\file")]],
    ["/x --input='odd name=v'", [pair("odd name", "v")]],
    ["/x __proto__=1 constructor=2", [pair("__proto__", "1"), pair("constructor", "2")]],
    ["/x hello", [{ text: "hello" }]],
    ["/x hello   there,\n\n  world  ", [{ text: "hello   there,\n\n  world" }]],
    ["/x fix the user's log-in - please", [{ text: "fix the user's log-in - please" }]],
    ["/x grep -i foo --force -- now", [{ text: "grep -i foo --force -- now" }]],
    ['/x say "k=v and -i l=w" twice', [{ text: 'say "k=v and -i l=w" twice' }]],
    ["/x hello there k=v more text", [{ text: "hello there" }, pair("k", "v"), { text: "more text" }]],
    ["/x tidy up -i k=v", [{ text: "tidy up" }, pair("k", "v")]],
    ["/x hello\\ world", [{ text: "hello world" }]],
    ["/x \"one\" 'two'", [{ text: "one" }, { text: "two" }]],
    ["/x ''", [{ text: "" }]],
    ["/x -- --input=k=v  'as it is' ", [{ text: "--input=k=v  'as it is'" }]],
    ["/x k=v -- l=w", [pair("k", "v"), { text: "l=w" }]],
    ["/x --", []],
    ["/x \\k=v", [{ text: "k=v" }]],
    ["/x \\--force", [{ text: "--force" }]],
    ["/x - item", [{ text: "- item" }]],
    ["/x 3=4", [{ text: "3=4" }]],
  ])("%j", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test("the name is canonical", () => {
    expect(parseCommand("/speckit:specify")).toEqual({ ok: true, name: "speckit/specify", arguments: [] });
    expect(parseCommand("/speckit/specify")).toEqual({ ok: true, name: "speckit/specify", arguments: [] });
  });

  test.each([
    ["hello", 'USER.PROMPT.NO_COMMAND a command begins with "/" and a name'],
    ["/", 'USER.FACADE.IDENTIFIER_EMPTY there is no name behind "/"'],
    ["/ x", 'USER.FACADE.IDENTIFIER_EMPTY there is no name behind "/"'],
    ["/%zz", 'USER.FACADE.IDENTIFIER_MALFORMED "/%zz" is no command: expected /name or /pack:name'],
    ["/x k=1 k=1", 'USER.INPUT.INVALID_FORMAT input "k" is given twice: give it once'],
    ["/x k=1 --input=k=2", 'USER.INPUT.INVALID_FORMAT input "k" is given twice: give it once'],
    ["/x k='a b", "USER.INPUT.INVALID_FORMAT the quote ' at character 6 is not closed: close it, or write \\'"],
    ["/x k=it's", "USER.INPUT.INVALID_FORMAT the quote ' at character 8 is not closed: close it, or write \\'"],
    ["/x --input", "USER.INPUT.INVALID_FORMAT --input needs an input: write --input name=value"],
    ["/x -i", "USER.INPUT.INVALID_FORMAT -i needs an input: write -i name=value"],
    ["/x --input k", 'USER.INPUT.INVALID_FORMAT --input needs name=value, but "k" has no "="'],
    ["/x --input==v", 'USER.INPUT.INVALID_FORMAT --input needs name=value, but "=v" has no name'],
    [
      "/x --fiel=a",
      "USER.INPUT.INVALID_FORMAT there is no option --fiel: write --input=fiel=value, or put -- before text",
    ],
    ["/x —input=k=v", 'USER.INPUT.INVALID_FORMAT "—input=k=v" begins with a long dash: write --input=name=value'],
  ])("T8: %j is refused", (text, expected) => {
    expect(fault(text)).toBe(expected);
  });

  test("T8: a text, a name or a list that is too long is refused quickly", () => {
    expect(fault(`/x ${"a".repeat(COMMAND_LIMITS.text)}`)).toMatch(/^USER.PROMPT.TOO_LARGE /);
    expect(fault(`/${"a".repeat(COMMAND_LIMITS.name + 1)}`)).toMatch(/^USER.FACADE.IDENTIFIER_MALFORMED /);
    expect(fault(`/x --input=${"a".repeat(COMMAND_LIMITS.inputName + 1)}=1`)).toMatch(/at most 128 characters/);
    expect(fault(`/x ${Array.from({ length: 300 }, (_, index) => `k${index}=1`).join(" ")}`)).toMatch(/at most 256/);
  });

  test.each([
    ["open quotes in prose", "a \"'".repeat(100_000)],
    ["options in prose", "a -i ".repeat(100_000)],
    ["white space", `a${" ".repeat(500_000)}`],
    ["backslashes", "\\\\".repeat(200_000)],
  ])("T8: a long text of %s takes linear time", (_, text) => {
    const before = process.cpuUsage();
    expect(parseCommand(`/x ${text}`).ok).toBe(true);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  });

  test("any text is read or refused, without a throw", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => typeof parseCommand(`/x ${text}`).ok === "boolean"));
    const noisy = fc.array(fc.constantFrom("k=", "v", " ", '"', "'", "\\", "--", "-i", "--input", "=", "\n", "é"));
    fc.assert(fc.property(noisy, (parts) => typeof parseCommand(`/x ${parts.join("")}`).ok === "boolean"));
  });
});

describe("printCommand", () => {
  const tricky = fc
    .array(fc.constantFrom("k=", "v", " ", '"', "'", "\\", "--", "-i", "--input", "=", "\n", "–"))
    .map((parts) => parts.join(""));
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), tricky);
  const name = fc
    .oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
      fc.constantFrom("k", "__proto__", "a.b", "input"),
    )
    .filter((each) => !each.includes("="));
  const argument: fc.Arbitrary<Argument> = fc.oneof(fc.record({ text }), fc.record({ name, value: text }));
  const list = fc
    .array(argument, { maxLength: 6 })
    .filter((all) => new Set(all.map((each) => ("name" in each ? each.name : each))).size === all.length);
  const command = fc.record({ name: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), arguments: list });

  test("I1: a printed command is read as the same command", () => {
    fc.assert(
      fc.property(command, (each) => {
        expect(parseCommand(printCommand(each))).toEqual({ ok: true, ...each });
      }),
      { numRuns: 1_000 },
    );
  });

  test("a plain command is printed as a person writes it", () => {
    const given = [pair("file", "src/a.ts"), pair("note", "it's a"), { text: "k=v" }, { text: "hello" }];
    expect(printCommand({ name: "p/review", arguments: given })).toBe(
      `/p:review file=src/a.ts note="it's a" \\k'=v' 'hello'`,
    );
  });
});

test("isCommand", () => {
  expect([" /x", "/", "x /y", ""].map(isCommand)).toEqual([true, true, false, false]);
});
