/** A template's source taken apart: texts, comments, actions with their tokens, each with its place. */
import { expect, test } from "vitest";
import { lexTemplate, type Piece } from "../../../../machines/workflow/template/lex.ts";

/** `text@start-end` for a text, `#…` for a comment, `!…` for a fault; an action's tokens in brackets, `_` before a spaced one. */
const brief = (piece: Piece): string => {
  const at = `@${piece.range.start}-${piece.range.end}`;
  switch (piece.type) {
    case "text":
      return JSON.stringify(piece.text) + at;
    case "comment":
      return `#${piece.text}${at}`;
    case "fault":
      return `!${piece.message}${at}`;
    case "action":
      return `[${piece.tokens
        .map(({ type, text, value, spaced, range }) => {
          const shown = value === undefined ? text : JSON.stringify(value);
          return `${spaced ? "_" : ""}${type}:${shown}@${range.start}-${range.end}`;
        })
        .join(" ")}]${at}`;
    default:
      return piece satisfies never;
  }
};

test.each([
  ["", []],
  ["a{b}", ['"a{b}"@0-4']],
  ["a {{.b}} c", ['"a "@0-2', "[_field:b@4-6 _end:}}@6-8]@2-8", '" c"@8-10']],
  ["a \n{{- .b -}}\t c", ['"a"@0-1', "[_field:b@7-9 _end:}}@10-13]@3-13", '"c"@15-16']],
  [" {{- .b -}} ", ["[_field:b@5-7 _end:}}@8-11]@1-11"]],
  // The marker needs its space.
  ["a {{-1}}", ['"a "@0-2', "[_number:-1@4-6 _end:}}@6-8]@2-8"]],
  [
    "{{1-}} b",
    [
      '[_number:1@2-3 bad:unexpected "-": a name that contains "-" is read with index, as in {{index .inputs "my-name"}}@3-4 _end:}}@4-6]@0-6',
      '" b"@6-8',
    ],
  ],
  ["{{.a.b .c}}", ["[_field:a@2-4 field:b@4-6 _field:c@7-9 _end:}}@9-11]@0-11"]],
  ["{{. | $x.y}}", ["[_dot:.@2-3 _mark:|@4-5 _variable:x@6-8 field:y@8-10 _end:}}@10-12]@0-12"]],
  [
    "{{$:=(a,b)=c}}",
    [
      "[_variable:@2-3 mark::=@3-5 mark:(@5-6 name:a@6-7 mark:,@7-8 name:b@8-9 mark:)@9-10 mark:=@10-11 name:c@11-12 _end:}}@12-14]@0-14",
    ],
  ],
  ["{{\"a\" `b`'c'}}", ['[_string:"a"@2-5 _string:"b"@6-9 number:99@9-12 _end:}}@12-14]@0-14']],
  ["{{+1 .5 -.5 1.5}}", ["[_number:1@2-4 _number:0.5@5-7 _number:-0.5@8-11 _number:1.5@12-15 _end:}}@15-17]@0-17"]],
  ["{{é1_ü}}", ["[_name:é1_ü@2-6 _end:}}@6-8]@0-8"]],
  ["{{𝒳}}", ["[_name:𝒳@2-4 _end:}}@4-6]@0-6"]],
  ["{{😀}}", ['[_bad:unexpected character "😀"@2-4 _end:}}@4-6]@0-6']],
  ["{{{.a}}", ['[_bad:unexpected "{": the action was opened by the "{{" before it@2-3 field:a@3-5 _end:}}@5-7]@0-7']],
  ["{{/* a }} */}}b", ["# a }} @0-14", '"b"@14-15']],
  ["a {{- /* x */ -}} b", ['"a"@0-1', "# x @2-17", '"b"@18-19']],
  ["{{/* x */ }}", ['!a comment ends with "*/}}" or "*/ -}}"@0-2']],
  ["{{/* x */-}}", ['!a comment ends with "*/}}" or "*/ -}}"@0-2']],
  ["a{{/* x", ['"a"@0-1', '!unclosed comment: "*/" expected@1-3']],
  ["a{{ .b", ['"a"@0-1', '!unclosed action: "}}" expected@1-3']],
  ['{{ "a', ['!unclosed string: " expected@3-5']],
  ["{{.a} b", ['!unexpected "}": an action ends with "}}"@4-5']],
  ["{{ # .b", ['!unexpected character "#"@3-4']],
])("%j", (source, pieces) => {
  expect(lexTemplate(source).map(brief)).toEqual(pieces);
});
