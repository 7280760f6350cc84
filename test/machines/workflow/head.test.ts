import { describe, expect, test } from "vitest";
import { readHead } from "../../../machines/workflow/head.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";

const REST = "states:\n  initial: a\n  a: {type: terminal}\n";

/** The same fields, read from the whole file. */
function whole(source: string) {
  const { workflow } = parseWorkflow(source, { file: null, awf: false });
  if (workflow === null) throw new Error("the workflow cannot be read");
  const { name, description, version, author, inputs, outputs, mcp } = workflow;
  return { name, description, version, author, inputs, outputs, ...(mcp === undefined ? {} : { mcp }) };
}

describe("readHead", () => {
  test.each([
    ["a plain file", `name: x\n${REST}`],
    ["comments and a marker", `# about\n---\nname: x # not this\ndescription: Plain text, with (signs).\n${REST}`],
    ["quotes", `name: "x"\ndescription: 'say "hi"'\nversion: "1.0"\n${REST}`],
    ["a number for a version", `name: x\nversion: 1.10\n${REST}`],
    ["escapes", `name: "a\\tb"\ndescription: 'it''s'\n${REST}`],
    ["block scalars", `name: x\ndescription: |\n  one\n  two: three\n${REST}`],
    ["a value on the next lines", `name: x\ndescription:\n  one\n  two\n${REST}`],
    ["a word that is no text", `name: x\ndescription: null\nversion: ~\n${REST}`],
    ["a colon", `name: x\ndescription: "a: b"\n${REST}`],
    ["inputs", `name: x\ninputs:\n- {name: a, required: true}\n- name: b\n  type: integer\n  default: 3\n${REST}`],
    ["a quoted key", `"name": x\n${REST}`],
    ["inputs by name", `name: x\ninputs:\n  a: {type: boolean}\n${REST}`],
    ["line ends of another system", `name: x\ndescription: two words\n${REST}`.replaceAll("\n", "\r\n")],
    ["a plain text with signs", `name: my-flow_2.x\ndescription: It's "this", (that); 1/2 + 3 = yes!\n${REST}`],
    ["a comment behind a text", `name: x #no\ndescription: a # b\nversion: 'a # b'\n${REST}`],
    ["a text with a colon at its end", `name: x\nauthor: "a:"\ndescription: a b\n${REST}`],
    ["a word of another type", `name: x\nversion: yes\nauthor: y\ndescription: Null\n${REST}`],
    [
      "comments among the inputs",
      `name: x\n# a\ninputs:\n# b\n  - name: a\n\n  # c\n  - name: b\nversion: v1\n${REST}`,
    ],
    ["inputs that are nothing", `name: x\ninputs:\nversion: v1\n${REST}`],
    ["a text over two lines", `name: x\ndescription: one\n  two\n${REST}`],
    ["tags in brackets", `name: x\ntags: [a, b]\n${REST}`],
    ["outputs", `name: x\noutputs: {a: states.a.Output, b: "{{.states.a.Output}}"}\n${REST}`],
    ["outputs as a list", `name: x\noutputs:\n  - {name: a, from: states.a.Output}\n${REST}`],
    ["what no host sees", `name: x\nmcp: {expose: false}\n${REST}`],
    ["what hosts see", `name: x\nmcp:\n  expose: yes\n${REST}`],
    ["keys behind the states", `${REST}name: x\nversion: v1\n`],
  ])("I1: the head alone is enough for %s", (_, source) => {
    expect(readHead(source)).toEqual(whole(source));
  });

  test.each([
    ["no name", REST],
    ["no states", "name: x\n"],
    ["an empty name", `name:\n${REST}`],
    ["a key twice", `name: x\nname: y\n${REST}`],
    ["a map in braces", `{name: x, states: {initial: a, a: {type: terminal}}}`],
    ["inputs twice", `name: x\ninputs:\n  - name: a\ninputs:\n  - name: b\n${REST}`],
    ["two documents after a name", `name: x\n---\nversion: v1\n${REST}`],
    ["two documents", `name: x\n${REST}---\nname: y\n`],
    ["a fault in the inputs", `name: x\ninputs: [{name: a, tipe: string}]\n${REST}`],
    ["an anchor that stands elsewhere", `x: &a text\nname: *a\n${REST}`],
    ["broken YAML", `name: "x\n${REST}`],
    ["nothing", ""],
  ])("I1: the whole file is needed for %s", (_, source) => {
    expect(readHead(source)).toBe(null);
  });
});
