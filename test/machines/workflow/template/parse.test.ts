/** A template's text, read as a tree, and all that is wrong with it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Node } from "../../../../machines/workflow/template/ast.ts";
import { parseTemplate } from "../../../../machines/workflow/template/parse.ts";
import { printTemplate } from "../../../../machines/workflow/template/print.ts";
import { bare, nodes, range } from "./any-template.ts";
import { parsed } from "./support.ts";

describe("parseTemplate", () => {
  it("reads what printTemplate writes (print I1)", () => {
    fc.assert(
      fc.property(nodes, (tree) => {
        const source = printTemplate({ type: "template", nodes: tree, range });
        expect(bare(parsed(source).nodes)).toEqual(bare(tree));
      }),
    );
  });

  it("never throws, whatever the source is", () => {
    const noise = fc.array(
      fc.constantFrom(
        "{{",
        "}}",
        "{{-",
        " -}}",
        "if ",
        "range",
        "end",
        "else",
        "$x",
        ":=",
        ".a",
        "|",
        "(",
        ")",
        '"',
        "`",
        "'",
        "1e",
        " ",
        "inputs.x",
        "/*",
        "*/",
        "\\",
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(noise, (parts) => {
        const source = parts.join("");
        const result = parseTemplate(source);
        if (!result.ok)
          expect(result.faults.every(({ range: at }) => at.start >= 0 && at.end <= source.length)).toBe(true);
      }),
      { examples: [[["{{", "'", "\\"]], [["{{", '"', "\\"]]] },
    );
  });

  it.each([
    ["{{", 'unclosed action: "}}" expected', 0, 2],
    ["{{/* x }}", 'unclosed comment: "*/" expected', 0, 2],
    ["{{}}", "a value is missing here", 2, 4],
    ["{{.a | }}", "a value is missing here", 7, 9],
    ["{{if .a}}x", "{{if}} has no {{end}}", 0, 9],
    ["{{end}}", "{{end}} without {{if}}, {{with}} or {{range}}", 0, 7],
    ["{{else}}", "{{else}} without {{if}}, {{with}} or {{range}}", 0, 8],
    ["{{if 1}}{{else}}{{else}}{{end}}", "a block has only one {{else}}, and it comes last", 16, 24],
    ["{{end x}}", 'nothing may follow "end"', 6, 7],
    ["{{break}}", "{{break}} outside of {{range}}", 0, 9],
    ["{{define `x`}}", "{{define}} is not supported: write the text where it is used", 0, 14],
    ["{{.a .b}}", "this is not a function, it cannot be given arguments", 2, 4],
    ["{{1 | 2}}", "this is not a function, it cannot stand behind |", 6, 7],
    ["{{$x}}", "variable $x is not declared", 2, 4],
    ["{{if true}}{{$x := 1}}{{end}}{{$x}}", "variable $x is not declared", 31, 33],
    ["{{(.a}}", '")" expected, found "}}"', 5, 7],
    ["{{.a)}}", 'unexpected ")"', 4, 5],
    ['{{"x}}', 'unclosed string: " expected', 2, 6],
    ['{{"\\z"}}', 'unknown escape "\\z"', 2, 5],
    ["{{'ab'}}", "single quotes hold exactly one character: write a string with double quotes", 2, 6],
    ["{{12ab}}", 'bad number "12ab"', 2, 6],
    [
      "{{.inputs.my-name}}",
      'unexpected "-": a name that contains "-" is read with index, as in {{index .inputs "my-name"}}',
      12,
      13,
    ],
    ["{{$a, $b := .x}}", "only {{range}} binds two variables", 4, 5],
  ])("fault: %s", (source, message, start, end) => {
    expect(parseTemplate(source)).toEqual({ ok: false, faults: [{ message, range: { start, end } }] });
  });

  it("suggests names and reports every action's fault", () => {
    const result = parseTemplate("{{trimspace .a}} {{input.x}} {{$name := 1}}{{$nme}}");
    expect(result).toMatchObject({
      ok: false,
      faults: [
        { message: 'unknown function or name "trimspace"', suggestion: "trimSpace" },
        { message: expect.stringContaining('unknown name "input"') as string, suggestion: "inputs" },
        { message: "variable $nme is not declared", suggestion: "$name" },
      ],
    });
  });

  it.each([
    // A block with a wrong head is a block all the same: its end is no second fault.
    ["{{if nope}}{{end}}", ['unknown function or name "nope"@5-9']],
    [
      "{{with nope}}{{end}}{{end}}",
      ['unknown function or name "nope"@7-11', "{{end}} without {{if}}, {{with}} or {{range}}@20-27"],
    ],
    ["{{range nope}}{{break}}{{end}}", ['unknown function or name "nope"@8-12']],
    ["{{if nope}}x", ['unknown function or name "nope"@5-9', "{{if}} has no {{end}}@0-11"]],
    ["{{define 1}}{{end}}", ["{{define}} is not supported: write the text where it is used@0-12"]],
    [
      "{{block 1}}{{if nope}}{{end}}{{end}}",
      ["{{block}} is not supported: write the text where it is used@0-11", 'unknown function or name "nope"@16-20'],
    ],
    [
      "{{template 1}}{{end}}",
      [
        "{{template}} is not supported: write the text where it is used@0-14",
        "{{end}} without {{if}}, {{with}} or {{range}}@14-21",
      ],
    ],
    ["{{block 1}}", ["{{block}} is not supported: write the text where it is used@0-11"]],
    ["{{template 1}}", ["{{template}} is not supported: write the text where it is used@0-14"]],
    [
      "{{`if` nope}}{{end}}",
      ['unknown function or name "nope"@7-11', "{{end}} without {{if}}, {{with}} or {{range}}@13-20"],
    ],
    ["{{if 1}}{{else with 1}}{{end}}", ["{{else}} or {{else if …}} expected@15-19"]],
    ["{{with 1}}{{else if 1}}{{end}}", ["{{else}} or {{else with …}} expected@17-19"]],
    ["{{range .a}}{{else range .b}}{{end}}", ["{{else}} or {{else if …}} expected@19-24"]],
    ["{{if 1}}{{else x}}{{end}}", ["{{else}} or {{else if …}} expected@15-16"]],
    ["{{range .a}}{{else}}{{break}}{{end}}", ["{{break}} outside of {{range}}@20-29"]],
    ["{{range .a}}{{continue 1}}{{end}}", ['nothing may follow "continue"@23-24']],
    ["{{if 1}}{{else if 2}}", ["{{if}} has no {{end}}@0-8"]],
    ["{{if $x := 1}}{{else}}{{$x}}{{end}}", ["variable $x is not declared@24-26"]],
    [
      "{{if 1}}{{end}}{{end}}{{.a | }}",
      ["{{end}} without {{if}}, {{with}} or {{range}}@15-22", "a value is missing here@29-31"],
    ],
  ])("faults: %s", (source, faults) => {
    const result = parseTemplate(source);
    const told = result.ok
      ? []
      : result.faults.map(({ message, range: { start, end } }) => `${message}@${start}-${end}`);
    expect(told).toEqual(faults);
  });

  it("reports twenty faults and no more (I1)", () => {
    const faults = (count: number, rest = ""): number => {
      const result = parseTemplate("{{nope}}".repeat(count) + rest);
      return result.ok ? 0 : result.faults.length;
    };
    expect([faults(19), faults(19, "{{if 1}}{{if 2}}"), faults(20, "{{if 1}}"), faults(25)]).toEqual([19, 20, 20, 20]);
  });

  it("keeps the places of blocks, from their head to their end", () => {
    const source = "{{if .a}}1{{else if .b}}2{{end}}3{{range .c}}{{continue}}{{end}}";
    const [branch, text, loop] = parsed(source).nodes;
    const cut = (node: Node | undefined): string =>
      node === undefined ? "" : source.slice(node.range.start, node.range.end);
    expect([cut(branch), cut(text), cut(loop)]).toEqual([
      "{{if .a}}1{{else if .b}}2{{end}}",
      "3",
      "{{range .c}}{{continue}}{{end}}",
    ]);
    const inner = branch?.type === "if" ? branch.otherwise?.[0] : undefined;
    expect(cut(inner)).toBe("{{else if .b}}2{{end}}");
    expect(parsed("{{if $x := 1}}{{else if $x}}{{$x}}{{end}}").nodes).toHaveLength(1);
    expect(parsed("{{range .a}}{{if 1}}{{break}}{{end}}{{end}}").range).toEqual({ start: 0, end: 43 });
    expect(parsed(`${"{{if 1}}".repeat(63)}{{if 1}}{{else}}{{end}}${"{{end}}".repeat(63)}`).nodes).toHaveLength(1);
  });

  it("bounds source, blocks and parentheses (I2)", () => {
    expect(parseTemplate("x".repeat(1024 * 1024)).ok).toBe(true);
    expect(parseTemplate("x".repeat(1024 * 1024 + 1)).ok).toBe(false);
    const nested = (n: number) => parseTemplate("{{if 1}}".repeat(n) + "{{end}}".repeat(n));
    expect(nested(64).ok).toBe(true);
    expect(nested(65)).toMatchObject({ ok: false });
    expect(parseTemplate(`{{${"(".repeat(65)}1${")".repeat(65)}}}`)).toMatchObject({ ok: false });
  });
});
