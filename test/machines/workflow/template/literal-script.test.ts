/** Values in scripts of Python and JavaScript: what is written for them, and where none is allowed. */
import { describe, expect, it } from "vitest";
import { type LiteralLanguage, literalScript } from "../../../../machines/workflow/template/literal-script.ts";
import { parseTemplate } from "../../../../machines/workflow/template/parse.ts";
import { expand, TemplateError } from "../../../../machines/workflow/template/render.ts";
import { languageOf } from "../../../../machines/workflow/template/script-language.ts";

function made(language: LiteralLanguage, source: string, v: string): string {
  const parsed = parseTemplate(source);
  if (!parsed.ok) throw new Error(parsed.faults[0]?.message);
  try {
    return literalScript(expand(parsed.template, { inputs: { v } }), language);
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}
const V = "{{.inputs.v}}";
const HOSTILE = `a'b"c\\d\ne\`\${f}{g}`;

describe("in a string a value is escaped for it", () => {
  const TEXT = `a\\'b\\"c\\\\d\\ne`;
  it.each<[LiteralLanguage, string, string]>([
    ["python", `print("${V}")`, `print("${TEXT}\`\${f}{g}")`],
    ["python", `print('x ${V} y')`, `print('x ${TEXT}\`\${f}{g} y')`],
    ["python", `x = """q"${V}.""" # '`, `x = """q"${TEXT}\`\${f}{g}.""" # '`],
    ["python", `x = if'''${V}'''`, `x = if'''${TEXT}\`\${f}{g}'''`],
    ["python", `f"{a['b']:>{w}} ${V}"`, `f"{a['b']:>{w}} ${TEXT}\`\${{f}}{{g}}"`],
    ["python", `f"""{a["b"]} ${V}"""`, `f"""{a["b"]} ${TEXT}\`\${{f}}{{g}}"""`],
    ["javascript", `log("${V}")`, `log("${TEXT}\`\${f}{g}")`],
    ["javascript", `log('${V}') // '`, `log('${TEXT}\`\${f}{g}') // '`],
    ["javascript", `log(\`\${a["}"]} ${V}\`)`, `log(\`\${a["}"]} ${TEXT}\\\`\\\${f}{g}\`)`],
    ["javascript", `x = (a) / 2; y = /["'/]/.test("${V}")`, `x = (a) / 2; y = /["'/]/.test("${TEXT}\`\${f}{g}")`],
    ["javascript", `if (a) /'/.test(b); log("${V}")`, `if (a) /'/.test(b); log("${TEXT}\`\${f}{g}")`],
  ])("%s: %s", (language, source, expected) => {
    expect(made(language, source, HOSTILE)).toBe(expected);
  });

  it("in a string of bytes, as bytes; characters that end a line or control a terminal, by number", () => {
    expect(made("python", `b"${V}"`, "é")).toBe('b"\\xc3\\xa9"');
    expect(made("python", `"${V}"`, "é\u2028\u001b\u0085")).toBe('"é\\u2028\\x1b\\x85"');
    expect(made("javascript", `'${V}'`, "é\u2029\r\u007f")).toBe("'é\\u2029\\r\\x7f'");
    expect(made("python", `"${V}"`, "\t\u0001\u001f ~\u007f\u0080\u009f\u00a0\u2027\u202a")).toBe(
      '"\\t\\x01\\x1f ~\\x7f\\x80\\x9f\u00a0\u2027\u202a"',
    );
    expect(made("python", `b"${V}"`, "~\u007f\u0080😀")).toBe('b"~\\x7f\\xc2\\x80\\xf0\\x9f\\x98\\x80"');
  });
});

describe("elsewhere only a number, true and false pass", () => {
  it.each<[LiteralLanguage, string, string]>([
    ["python", `print(${V})`, "outside of a string"],
    ["python", `# ${V}`, "in a comment"],
    ["python", `f"{${V} }"`.replace("{{{", "{ {{"), "in a field of an f-string"],
    ["javascript", `log(${V})`, "outside of a string"],
    ["javascript", `// ${V}`, "in a comment"],
    ["javascript", `/* ${V} */`, "in a comment"],
    ["javascript", `x = /${V}/`, "in a regular expression"],
    ["javascript", `x = \`\${ ${V} }\``, "outside of a string"],
  ])("%s: %s", (language, source, why) => {
    for (const value of ["exit", "a b", "", "\n", "1;x", "0x1", "x()", "1\n"])
      expect(made(language, source, value)).toMatch(new RegExp(`^refused: only a number.*because it stands ${why}`));
    for (const value of ["7", "-1.5", "true"]) expect(made(language, source, value)).toBe(source.replace(V, value));
  });
});

describe("no value is allowed", () => {
  it.each<[string, LiteralLanguage, string, string]>([
    ["behind a backslash", "python", `"\\${V}"`, "x"],
    ["behind a backslash of a raw string", "python", `r"\\${V}"`, ""],
    ["behind a part of an escape", "python", `"\\x4${V}"`, "1"],
    ["behind a part of an escape", "javascript", `"\\u{4${V}"`, "1"],
    ["in a raw string, where it needs escapes", "python", `r"${V}"`, 'a"'],
    ["in a raw string, where it needs escapes", "python", `Rb'${V}'`, "é"],
    ["in a raw f-string, where it has braces", "python", `rf"${V}"`, "{x}"],
    ["in a template that a function reads, where it needs escapes", "javascript", `String.raw\`${V}\``, "`"],
    ["behind a dollar", "javascript", `\`$${V}\``, "{x}"],
    ["where an empty value makes three quotes", "python", `"${V}""x"`, ""],
    ["where an empty value makes three quotes", "python", `"""a"${V}"""`, ""],
    ["in a string that does not end on its line", "python", `"${V}\n"`, "x"],
    ["in a string that does not end on its line", "javascript", `"${V}\n"`, "x"],
    ["in a template literal without an end", "javascript", `\`${V}`, "x"],
    ["where versions of Python differ", "python", `f"{a["b"]} ${V}"`, "x"],
    ["where versions of Python differ", "python", `f'{a["\\n"]} ${V}'`, "x"],
    ["where versions of Python differ", "python", `f"""{"a"""} ${V}" """`, "x"],
    ["in a format with quotes", "python", `f"{a:'>9} ${V}"`, "x"],
    ["behind an unknown prefix", "python", `q"${V}"`, "x"],
    ["in a file of another encoding", "python", `# coding: utf-7\n"${V}"`, "x"],
    ["in a file whose encoding is a value", "python", `# coding: utf${V}\n""`, "-7"],
    ["where a slash could be two things", "javascript", `{} /"/.test("${V}")`, "x"],
    ["behind an HTML comment", "javascript", `<!-- "\n"${V}"`, "x"],
    ["where a number makes an HTML comment", "javascript", `a <!-${V}\n+ "x"`, "-1"],
  ])("%s, %s: %s", (_, language, source, value) => {
    expect(made(language, source, value)).toMatch(/^refused: /);
  });
});

describe("why it is refused, and what is blamed", () => {
  const wayOut =
    "write it inside quotes, hand it over in an environment variable, or write {{… | raw}} for text that is yours";
  const elsewhere = `with these values the strings of the script end elsewhere; ${wayOut}`;
  const raw =
    "the value has characters that need a backslash, and the string that it stands in is raw; " +
    "write it in a string that is not, or hand it over in an environment variable";
  const unread = (line: number, why: string): string =>
    `no value can stand in this script, because it cannot be read from line ${line} on: ${why}; ${wayOut}`;
  it.each<[LiteralLanguage, string, string, string, string]>([
    [
      "python",
      `x(${V}, 1)`,
      "a",
      `only a number, true or false can stand here, because it stands outside of a string; ${wayOut}`,
      V,
    ],
    ["python", `x = r"${V}"`, '"', raw, V],
    ["python", `x = 1\ny = "a"\nz = "${V}\n"`, "x", unread(3, "a string does not end on its line"), V],
    ["javascript", `x = "${V}\n"`, "x", unread(1, "a string does not end on its line"), V],
    // One string less, and as many that end elsewhere.
    ["python", `"${V}""x"""`, "", elsewhere, `"${V}""x"""`],
    ["python", `"${V}"""""""`, "", elsewhere, `"${V}"""""""`],
    ["python", `"a" "${V}""x"`, "", elsewhere, `"a" "${V}""x"`],
  ])("%s: %s", (language, source, v, message, blamed) => {
    const parsed = parseTemplate(source);
    if (!parsed.ok) throw new Error(parsed.faults[0]?.message);
    const { template } = parsed;
    let fault: unknown = null;
    try {
      literalScript(expand(template, { inputs: { v } }), language);
    } catch (error) {
      fault = error;
    }
    if (!(fault instanceof TemplateError)) throw new Error("no fault of a template");
    expect([fault.message, source.slice(fault.range.start, fault.range.end)]).toEqual([message, blamed]);
    // It is the value that is refused, or all of them.
    expect(made(language, source, "7")).toBe(
      message.startsWith("no value") ? `refused: ${message}` : source.replace(V, "7"),
    );
  });
});

describe("a script with many values", () => {
  it("is made where each string ends where it did, moved by all values before it", () => {
    const source = `a = "${V}", '${V}', ${"{{.inputs.w}}"}, b"${V}" # "\n"""${V}""" + "x"\nb = "${V}"`;
    const parsed = parseTemplate(source);
    if (!parsed.ok) throw new Error(parsed.faults[0]?.message);
    const script = (v: string, w: string): string =>
      literalScript(expand(parsed.template, { inputs: { v, w } }), "python");
    expect(script("é'\\", "-12.25")).toBe(
      `a = "é\\'\\\\", 'é\\'\\\\', -12.25, b"\\xc3\\xa9\\'\\\\" # "\n"""é\\'\\\\""" + "x"\nb = "é\\'\\\\"`,
    );
    expect(script("v", "7")).toBe(`a = "v", 'v', 7, b"v" # "\n"""v""" + "x"\nb = "v"`);
    expect(script("", "true")).toBe(`a = "", '', true, b"" # "\n"""""" + "x"\nb = ""`);
  });

  it("may have a string right before a value, and no value at all", () => {
    expect(made("python", `"a"${V} + "b"`, "77")).toBe('"a"77 + "b"');
    expect(made("javascript", "x = 'not read", "77")).toBe("x = 'not read");
  });
});

it("a raw value is the author's text, read with the rest of the script", () => {
  expect(made("python", `${"{{.inputs.v | raw}}"}${V}"`, 'x = "')).toBe('x = "x = \\""');
});

it.each([
  ["echo", "shell"],
  ["#!/bin/sh -e\n", "shell"],
  ["#!/usr/bin/env bash\n", "shell"],
  ["#!/usr/bin/env python3\n", "python"],
  ["#!/usr/bin/env -S python3 -u\n", "python"],
  ["#!/usr/bin/python3.12 -I\n", "python"],
  ["#!/usr/bin/env node", "javascript"],
  ["#!/usr/bin/env -S node --no-warnings\n", "javascript"],
  ["#!/usr/bin/env -S node --import tsx\n", "other"],
  ["#!/usr/bin/env -S NODE_OPTIONS=--import=x node\n", "other"],
  ["#!/usr/bin/python3 -m IPython\n", "other"],
  ["#!/usr/bin/env python2\n", "other"],
  ["#!/usr/bin/env python3 {{.inputs.v}}\n", "other"],
  ["#!/usr/bin/env bun\n", "other"],
  ["#!/usr/bin/env\n", "other"],
])("the language of %j", (source, language) => {
  expect(languageOf(source)).toBe(language);
});
