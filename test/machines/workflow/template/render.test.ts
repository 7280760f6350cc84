import { describe, expect, it } from "vitest";
import { MAX_OUTPUT_BYTES, render, TemplateError } from "../../../../machines/workflow/template/render.ts";
import { parsed, rendered } from "./support.ts";

const scope = {
  inputs: {
    x: "  hi  ",
    n: 3,
    s: "3",
    flag: true,
    list: ["a", "b"],
    empty: [],
    csv: "a,b,c",
    quote: "it's",
    none: null,
    map: { a: 1, B: [{ z: 2, y: 1 }] },
  },
  states: { a: { Output: "out\n", JSON: { severity: "high", items: [{ id: 1 }, { id: 2 }] }, ExitCode: 0 } },
  loop: { Item: { name: "z" }, Index: 0, Parent: { Item: "outer", Index1: 2 } },
};

describe("render", () => {
  it.each([
    ["plain", "plain"],
    ["{{.inputs.n}}|{{inputs.n}}", "3|3"],
    ["{{.inputs.x | trimSpace | json}}", '"hi"'],
    ["a {{- /* note */ -}} b", "ab"],
    ["a  {{- .inputs.n -}}  b", "a3b"],
    ["{{.states.a.JSON}}", '{"severity":"high","items":[{"id":1},{"id":2}]}'],
    ["{{.loop.Item}} {{.loop.Item.name}} {{loop.Parent.Item}}", '{"name":"z"} z outer'],
    ["{{if eq .inputs.n 3}}y{{else}}n{{end}}", "y"],
    ["{{if eq .inputs.n 4}}y{{else if .inputs.flag}}f{{else}}n{{end}}", "f"],
    ["{{range .inputs.list}}<{{.}}>{{end}}", "<a><b>"],
    ["{{range $i, $v := .inputs.list}}{{$i}}={{$v}};{{end}}", "0=a;1=b;"],
    ["{{range $v := .inputs.list}}{{$v}}{{end}}", "ab"],
    ["{{range .inputs.empty}}x{{else}}none{{end}}", "none"],
    ["{{range $k, $v := .states.a.JSON}}{{$k}} {{end}}", "items severity "],
    ["{{range .states.a.JSON.items}}{{.id}}{{inputs.n}}{{$.inputs.n}} {{end}}", "133 233 "],
    ["{{range $i, $v := .inputs.list}}{{if $i}}{{break}}{{end}}{{$v}}{{end}}", "a"],
    ["{{range .inputs.list}}{{if eq . `a`}}{{continue}}{{end}}{{.}}{{end}}", "b"],
    ["{{with .states.a}}{{.Output}}{{end}}", "out\n"],
    ["{{with .inputs.empty}}x{{else}}e{{end}}", "e"],
    ["{{with $y := .inputs.n}}{{$y}}{{.}}{{end}}", "33"],
    ["{{$x := 1}}{{if true}}{{$x = 2}}{{end}}{{$x}}", "2"],
    ["{{$x := 1}}{{if true}}{{$x := 2}}{{end}}{{$x}}", "1"],
    [
      '{{printf "%05.1f|%-4d|%4s|%q|%t|%x|%v|%+d|%%" 3.14159 7 "ab" "q" true 255 .inputs.list 5}}',
      '003.1|7   |  ab|"q"|true|ff|["a","b"]|+5|%',
    ],
    ['{{print 1 2 "a" "b" 3}}', "1 2ab3"],
    ['{{println "a" 1}}', "a 1\n"],
    ["{{and 1 0}} {{or 0 2}} {{not true}}", "0 2 false"],
    ["{{and false (index .inputs.list 9)}}", "false"],
    [
      '{{eq .inputs.s 3}} {{ne 1 2}} {{lt "a" "b"}} {{le 2 2}} {{gt .inputs.s 2}} {{ge 1 2}}',
      "true true true true true false",
    ],
    ["{{eq .inputs.n 1 2 3}}", "true"],
    [
      '{{index .inputs "csv"}} {{index .states.a.JSON.items 1 "id"}} {{(index .states.a.JSON.items 0).id}}',
      "a,b,c 2 1",
    ],
    ['{{len .inputs.list}} {{slice "hello" 1 3}} {{len "äö"}}', "2 el 4"],
    ['{{slice "äö" 2 4}} {{index "äö" 0}} {{json .inputs.map}}', 'ö 195 {"B":[{"y":1,"z":2}],"a":1}'],
    ['{{printf "%U %U %T %T %T %T" 65 128512 1 1.5 "x" true}}', "U+0041 U+1F600 int float64 string bool"],
    ["{{html `<a>`}} {{urlquery `a b&c`}} {{js `it's`}}", "&lt;a&gt; a+b%26c it\\'s"],
    ['{{range split .inputs.csv ","}}[{{.}}]{{end}}', "[a][b][c]"],
    ['{{join .inputs.list "-"}} {{.inputs.list | join "+"}}', "a-b a+b"],
    ['{{escape "a-b_1./:@,+=%é"}} {{escape ""}} {{escape "a b"}} {{escape "~"}}', "a-b_1./:@,+=%é '' 'a b' '~'"],
    ["{{.inputs.quote | escape}}", "'it'\\''s'"],
    ["{{'a'}} {{0x1f}} {{1_000}} {{1.5e3}} {{-2}}", "97 31 1000 1500 -2"],
    ['{{"\\u00e4\\n\\x41"}}', "ä\nA"],
    ['{{lower "A"}}{{upper "b"}}{{trim " c "}}{{trim "xxdx" "x"}}{{replace "a" "$&" "banana"}}', "aBcdb$&n$&n$&"],
    [
      '{{contains "an" "banana"}} {{hasPrefix "ba" "banana"}} {{hasSuffix "x" "banana"}} {{.inputs.none | default "d"}}',
      "true true false d",
    ],
    ["{{nil | json}} {{.inputs.none}}", "null <no value>"],
    ["{{range 3}}{{.}}{{end}}", "012"],
    ["{{(printf `%d` 4) | printf `%s!`}}", "4!"],
  ])("%s", (source, text) => {
    expect(rendered(source, scope)).toBe(text);
  });

  it("calls injected effects", () => {
    expect(rendered('{{readFile "a.txt" | trimSpace}}', {}, { readFile: (path) => `file ${String(path)}\n` })).toBe(
      "file a.txt",
    );
  });

  it.each([
    [
      "x {{.inputs.tsak}}",
      { inputs: { task: "t", n: 1 } },
      '.inputs.tsak: "tsak" does not exist in .inputs; there is: task, n; did you mean "task"?',
      [4, 16],
    ],
    ["{{inputs.a}}", { inputs: {} }, 'inputs.a: "a" does not exist in .inputs; nothing is there', [2, 10]],
    [
      "{{.states.a.output}}",
      { states: { a: { Output: "" } } },
      '.states.a.output: "output" does not exist in .states.a; there is: Output; did you mean "Output"?',
      [2, 18],
    ],
    ["{{.states.b.Output}}", { states: {} }, '.states.b.Output: no state "b" has run before this', [2, 18]],
    [
      "{{states.bulid.Output}}",
      { states: { build: { Output: "" } } },
      'states.bulid.Output: no state "bulid" has run before this; did you mean "build"?',
      [2, 21],
    ],
    [
      "{{.inputs.constructor}}",
      { inputs: {} },
      '.inputs.constructor: "constructor" does not exist in .inputs; nothing is there',
      [2, 21],
    ],
    [
      "{{.inputs.__proto__}}",
      { inputs: {} },
      '.inputs.__proto__: "__proto__" does not exist in .inputs; nothing is there',
      [2, 19],
    ],
    ["{{.inputs.a.b}}", { inputs: { a: "s" } }, '.inputs.a.b: .inputs.a is a string and has no "b"', [2, 13]],
    [
      "{{range .inputs.l}}{{.inputs.z}}{{end}}",
      { inputs: { l: [1], z: 1 } },
      '.inputs.z: . is a number and has no "inputs"; inside range and with the dot is the item, write inputs.z',
      [21, 30],
    ],
    [
      "{{range .inputs.a}}{{end}}",
      { inputs: { a: "s" } },
      'range .inputs.a: a list or object expected, found string; use split, as in {{range split .inputs.list ","}}',
      [8, 17],
    ],
    [
      "{{range .inputs.a}}{{end}}",
      { inputs: { a: ' [{"b": 1}]' } },
      "range .inputs.a: a list or object expected, found string; it looks like JSON: give its step an output_schema (or an agent output_format: json) and go over states.<step>.JSON, or let a for_each go over it",
      [8, 17],
    ],
    ["{{index .inputs.l 4}}", { inputs: { l: [1] } }, "index: 4 is out of range, the length is 1", [2, 19]],
    ['{{eq 1 "a"}}', {}, 'eq: number 1 cannot be compared with string "a"', [2, 10]],
    ['{{printf "%d" "x"}}', {}, 'printf: %d needs a number, found string "x"', [2, 17]],
    ['{{printf "%s"}}', {}, 'printf: "%s" needs more than 0 values', [2, 13]],
    ['{{printf "a" 1}}', {}, 'printf: "a" uses 0 of 1 values', [2, 14]],
    ['{{printf "%99999d" 1}}', {}, "printf: width and precision are at most 10000", [2, 20]],
    ["{{readFile `a`}}", {}, 'function "readFile" is not available here', [2, 14]],
    ["{{lower}}", {}, "lower: 1 argument expected, found 0", [2, 7]],
    ["{{range 400000}}{{range 400000}}{{end}}{{end}}", {}, "the template takes more than 500000 steps", [16, 39]],
  ])("fails: %s", (source, values, message, [start, end]) => {
    let caught: unknown;
    try {
      render(parsed(source), values);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(TemplateError);
    expect(caught).toMatchObject({ code: "WORKFLOW.TEMPLATE.RENDERING", message, range: { start, end } });
  });

  it("bounds its output (I2)", () => {
    const big = "x".repeat(MAX_OUTPUT_BYTES / 2);
    expect(rendered("{{.a}}{{.a}}", { a: big })).toHaveLength(MAX_OUTPUT_BYTES);
    expect(() => rendered("{{.a}}{{.a}}!", { a: big })).toThrow(/longer than 8388608 bytes/);
    expect(() => rendered("{{$x := .a}}{{range 40}}{{$x = print $x $x}}{{end}}", { a: "xxxxxxxx" })).toThrow(
      /print: the result is longer/,
    );
  });
});
