/**
 * Quotes, `$…`, backticks and arithmetic: where each template of a script stands, and what is demanded there.
 */
import { describe, expect, it } from "vitest";
import { placesOf, refusal } from "./support.ts";

const COMPUTED = "arithmetic | integer: arithmetic computes with it";
const RUN = "bare | program: it stands where a command begins: the shell would run its words";
const BACKSLASH = "refused a backslash stands before the template: leave it out";
const NAMES = 'refused a "$" stands before the template: leave it out, or the value would name a variable';
const TICKS = "refused it stands in backticks with a backslash or heredoc: write $(…)";
const ANSI = "shells read \\' within $'…' differently: use double quotes";
const TWO = '"((" could be arithmetic or two parentheses: put a space between them';
const OVERLAP = "a heredoc and $(…) overlap: put them on separate lines";

describe("quotes", () => {
  it.each([
    ["'aX' X", ["single", "bare"]],
    ["'\\X' X", ["single", "bare"]],
    ["'X", ["single"]],
    ["$'X\\n' X", ["single ansi", "bare"]],
    ["$'a\\\\' X", ["bare"]],
    ["$'\\X' X", [BACKSLASH, "bare"]],
    ["$'a\\'X' X", [`refused ${ANSI}`, `refused ${ANSI}`, `doubt: ${ANSI}`]],
    ['"aX" X', ["double", "bare"]],
    ['"X', ["double"]],
    ['"\\X" X', ["double backslash", "bare"]],
    ['"\\"X" X', ["double", "bare"]],
    ['$"X" X', ["double", "bare"]],
    [`"$'X'" X`, ["double", "bare"]],
    ['"$"X"" X', [RUN, "bare"]],
    ["cat <<E\n\\\nX \\X X\nE\n", ["heredoc", "heredoc backslash", "heredoc"]],
  ])("%s", (source, places) => expect(placesOf(source)).toEqual(places));
});

describe("what a dollar begins", () => {
  it.each([
    ["$X", [NAMES]],
    ['"$X" X', [NAMES, "bare"]],
    ["cat <<E\n$X X\nE\n", [NAMES, "heredoc"]],
    ["$$X", [RUN]],
    ["$ X", ["bare"]],
    ["$#X $?X $!X $-X $$X $@X $*X $1X $aX", [RUN, ...Array<string>(8).fill("bare")]],
    ["$(echo X) X", ["bare | word: it stands where a command begins: the shell would run its words", "bare"]],
    ['echo "$(echo X)" "X"', ["bare", "double"]],
    ["echo $(sh -c X) X", ["bare | word: sh reads it as code", "bare"]],
    ["echo $(echo `echo X` X) X", ["bare", "bare", "bare"]],
    ["cat <<E\n`echo X` $(echo X) $((X)) X\nE\nX", ["bare", "bare", COMPUTED, "heredoc", RUN]],
    ["cat <<E $(echo) X\nE\n", ["bare"]],
    ["cat <<E $(echo\n) X\nE\n", [`refused ${OVERLAP}`, `doubt: ${OVERLAP}`]],
  ])("%s", (source, places) => expect(placesOf(source)).toEqual(places));

  it("is text of the code that a shell reads, but for what it writes", () => {
    for (const source of ['sh -c "a\\"b\\\\ $x \\$(X)"', 'sh -c "\\\nX" y', `sh -c "echo '$(id)' X"`])
      expect(placesOf(source)).toEqual(["double | word: sh reads it as code"]);
    expect(placesOf("sh -c $(echo a)X")).toEqual(["bare | word: sh reads it as code"]);
    // What `escape` makes is one word to that shell, where no quotes stand around it.
    const code = (text: string): string => refusal(`sh -c "${text}"`.replace("X", "{{.inputs.x | escape}}"), "a'b");
    expect([code("echo X"), code("echo \\$y $(id) X"), code("echo \\\nX")]).toEqual(["", "", ""]);
    for (const text of ["echo 'X'", 'echo \\"X\\"', "echo '$(id)X'"]) expect(code(text)).toContain("plain word");
  });
});

describe("arithmetic", () => {
  it.each([
    ["echo $((X)) X", [COMPUTED, "bare"]],
    ["echo $(( (1) + X )) X", [COMPUTED, "bare"]],
    ["echo $(( ((1)) + X )) X", [COMPUTED, "bare"]],
    ["echo $((a]X)) X", [COMPUTED, "bare"]],
    ["echo $((X", [COMPUTED]],
    ["echo $[X] X", [COMPUTED, "bare"]],
    ["echo $[a[1] + X] X", [COMPUTED, "bare"]],
    ["echo $[a[b[1]] + X] X", [COMPUTED, "bare"]],
    ["echo $[a)X] X", [COMPUTED, "bare"]],
    ["echo $[a]X] X", ["bare", "bare"]],
    [
      "echo $(( ${a}X `echo X` $(echo X) )) X",
      [COMPUTED, ...Array<string>(2).fill("bare | integer: arithmetic computes with it"), "bare"],
    ],
    ["echo $((1) X", [`refused ${TWO}`, `doubt: ${TWO}`]],
    ["a=X; echo $((b + a))", ["bare | integer: the script computes with $a"]],
    ["a=X; echo $[a]", ["bare | integer: the script computes with $a"]],
    ["set -- X; echo $((1 + $1))", ["bare | integer: arithmetic computes with it"]],
    ["set -- X; echo $((10))", ["bare"]],
  ])("%s", (source, places) => expect(placesOf(source)).toEqual(places));
});

describe("backticks", () => {
  it.each([
    ["echo `echo X` X", ["bare", "bare"]],
    ['echo "`echo X` X" X', ["bare", "double", "bare"]],
    ["echo `sh -c X` X", ["bare | word: sh reads it as code", "bare"]],
    ["echo `a\\x X` X", ["bare", "bare"]],
    ["echo `echo X", ["bare"]],
    ["echo `echo X\\", ["bare"]],
    ["echo `echo \\X` X", [TICKS, "bare"]],
    ["echo `echo \\` X`", [TICKS]],
    ["echo `a\\\\X` X", [TICKS, "bare"]],
    ["echo `a\\$X X` X", [TICKS, TICKS, "bare"]],
    ["echo `cat <<E\nX\nE\n` X", [TICKS, "bare"]],
    ["echo `cat <<< X` X", ["bare", "bare"]],
    ["echo `cat <<<X; cat <<E\nX\nE\n` X", [TICKS, TICKS, "bare"]],
  ])("%s", (source, places) => expect(placesOf(source)).toEqual(places));
});
