/** What a simple command does with its words: the place of each template, X, and what is demanded of it there. */
import { describe, expect, it } from "vitest";
import { readShell } from "../../../../machines/workflow/template/shell-lexer.ts";
import { placesOf } from "./support.ts";

const NAME = "bare | name: this names a variable";
const INDEX = "arithmetic | integer: it is the index of an array";
const RUN = "it stands where a command begins: the shell would run its words";
const SPLIT = "and the shell would split this one into several";
const PROCESS = "integer: wait takes an option that names a variable, whose index is computed";
const by = (name: string): string => `bare | integer: the script computes with $${name}`;
const POSITIONAL = "bare | integer: arithmetic computes with it";

describe("tests", () => {
  it.each(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])("%s compares integers", (operator) => {
    const beside = `integer: it stands beside ${operator}`;
    for (const [test, end, place] of [
      ["[", " ]", "bare whole"],
      ["test", "", "bare whole"],
      ["[[", " ]]", "bare"],
    ]) {
      expect(placesOf(`${test} X ${operator} X${end}`)).toEqual([`${place} | ${beside}`, `${place} | ${beside}`]);
    }
    expect(placesOf(`echo X ${operator} X`)).toEqual(["bare", "bare"]);
  });

  it.each([
    ["[ X = X ]", ["bare whole", "bare whole"]],
    ["[[ X == X ]]", ["bare", "bare"]],
    ["[ -z X ]", ["bare whole"]],
    ["[ -v X ]", ["bare whole | name: this names a variable"]],
    ["test -R X", ["bare whole | name: this names a variable"]],
    ["[[ -v X ]]", [NAME]],
    ["[[ -v a[X] ]]", [INDEX]],
    ["echo -v X", ["bare"]],
    ["a=X; [[ $a -eq 1 ]]", [by("a")]],
    ["a=X; [[ a -eq 1 ]]", [by("a")]],
    // `[` computes nothing that a variable's text says.
    ["a=X; [ $a -eq 1 ]", ["bare"]],
  ])("%s", (source, places) => expect(placesOf(source)).toEqual(places));
});

describe("declarations", () => {
  it.each(["declare", "typeset", "local", "readonly", "export"])("%s", (head) => {
    expect([`${head} X`, `${head} a=X`, `${head} a="X"`, `${head} -xi a=X`, `${head} a[X]=X`].map(placesOf)).toEqual([
      [NAME],
      ["bare whole"],
      ["double"],
      ["bare whole | integer: the variable is declared as an integer"],
      [INDEX, "bare whole"],
    ]);
    expect(placesOf(`${head} a=X b; echo $((a))`)).toEqual(["bare whole | integer: the script computes with $a"]);
  });

  it.each([
    ["declare -n r=X", ["bare whole | name: this names a variable"]],
    ["declare -n r; r=X", ["bare"]],
    ["a=X; declare -n r=a; echo $((r))", [by("r")]],
    ["a=1; declare -n r=a; r=X; echo $((a))", [by("a")]],
    ["a=X; declare r=a; echo $((r))", ["bare"]],
  ])("%s", (source, places) => expect(placesOf(source)).toEqual(places));
});

describe("what names a variable", () => {
  it.each(["unset", "read", "mapfile", "readarray", "getopts"])("%s", (head) => {
    expect([`${head} X`, `${head} a[X]`, `${head} -r X`, `echo ${head} X`].map(placesOf)).toEqual([
      [NAME],
      [INDEX],
      [NAME],
      ["bare"],
    ]);
  });

  it.each([
    ["printf -vX a", [NAME]],
    ['printf "-vX" a', ["double | name: this names a variable"]],
    ["printf -va[X] b", ["bare | integer: it is the index of an array"]],
    ["a=X; printf -v$a b", [NAME]],
    ["printf -v b -vX a", [NAME]],
    ["printf %s -vX", ["bare"]],
    ["echo -vX", ["bare"]],
    ["wait -pX", [NAME]],
    ["wait -npX", [NAME]],
    ["wait -n", []],
  ])("also in the word of its option: %s", (source, places) => expect(placesOf(source)).toEqual(places));

  it("but for the value of an option", () => {
    const six = Array<string>(6).fill("bare");
    expect(placesOf("read -d X -i X -n X -N X -t X -u X a")).toEqual(six);
    expect(placesOf("read -rp X -a X")).toEqual(["bare", NAME]);
    for (const head of ["mapfile", "readarray"]) {
      expect(placesOf(`${head} -d X -n X -O X -s X -u X -c X a`)).toEqual(six);
      expect(placesOf(`${head} -t X`)).toEqual([NAME]);
    }
    expect(placesOf("unset -n X")).toEqual([NAME]);
  });

  it.each([
    ["printf -v X a", [NAME]],
    ["printf -v a[X] b", [INDEX]],
    ["printf -p X a", ["bare"]],
    ["wait -p X", [NAME]],
    ["wait -n X", [`bare | ${PROCESS}`]],
    ['wait a "X"', [`double | ${PROCESS}`]],
    ["a=X; wait $a", [`bare | ${PROCESS}`]],
    ["a=$(b X); wait $a", [`bare | ${PROCESS.replace("integer", "tame")}`]],
    ["b X & wait $! a", ["bare"]],
  ])("%s", (source, places) => expect(placesOf(source)).toEqual(places));
});

describe("what flows into a variable", () => {
  it.each([
    ["let X", ["bare | integer: let computes with it"]],
    ["a=X; let b=a", [by("a")]],
    ["a=X; echo $((a))", [by("a")]],
    ["a+=X; echo $((a))", [by("a")]],
    ["a[1]=X; echo $((a))", [by("a")]],
    ["a=(1 X); echo $((a))", [by("a")]],
    ["echo a=X; echo $((a))", ["bare"]],
    ["for a in 1 X; do echo $((a)); done", [by("a")]],
    ["select a in X; do echo $((a)); done", [by("a")]],
    ["set -- X; for a; do echo $((a)); done", [by("a")]],
    ["printf -v a X; echo $((a))", [by("a")]],
    ["read a <<< X; echo $((a))", [by("a")]],
    ["read <<< X; echo $((REPLY))", [by("REPLY")]],
    ["mapfile <<< X; echo $((MAPFILE))", [by("MAPFILE")]],
    ["readarray <<< X; echo $((MAPFILE))", [by("MAPFILE")]],
    ["readarray a <<< X; echo $((a))", [by("a")]],
    ["unset a <<< X; echo $((a))", ["bare"]],
    ["set -- -a X; while getopts a: o; do echo $((OPTARG)); done", [by("OPTARG")]],
    ["set X; echo $((1 + $1))", [POSITIONAL]],
    ["function f { echo $(($1)); }; f X", [POSITIONAL]],
    ["f() { echo $(($1)); }; f X", [POSITIONAL]],
    ["f() { echo $(($1)); }; g X", ["bare"]],
    ["f() { echo $(($1)); }; $g X", [POSITIONAL]],
    ["f() { echo $(($1)); }; Xf X", [`bare | program: ${RUN}`, POSITIONAL]],
  ])("%s", (source, places) => expect(placesOf(source)).toEqual(places));
});

describe("what is run", () => {
  it.each([...["", "command ", "builtin ", "exec ", "nohup ", "time ", "a=1 "].map((head) => `${head}X b`), "aX b"])(
    "%s",
    (source) => expect(placesOf(source)).toEqual([`bare | program: ${RUN}`]),
  );

  it.each([
    ["env X b", [`bare | word: ${RUN}`]],
    ["sudo X b", [`bare | word: ${RUN}`]],
    ["$(echo X)", [`bare | word: ${RUN}`]],
    ["a=X; $a", ["bare | word: the script runs $a"]],
    ["a=X; sudo $a", ["bare | word: the script runs $a"]],
    ["set -- X; $1", ["bare | word: the script runs $@"]],
    ["f() { $@; }; f X", ["bare | word: the script runs $@"]],
    ["f() { $2 a; }; f a X", ["bare | word: the script runs $@"]],
    ['f() { "$@"; }; f X', [`bare | word: a function of the script runs its arguments, ${SPLIT}`]],
    ['f() { "${@}"; }; f "X"', ["double"]],
    ['f() { "$@"; }; f git commit -m X', ["bare"]],
    ['a=X; f() { "$1" b; }; f $a', [`bare | word: a function of the script runs its arguments, ${SPLIT}`]],
    ['a=(X); "${a[@]}"', [`bare | word: the script runs the array's elements, ${SPLIT}`]],
    ['a=("X" X); "${a[@]}"', ["double", "bare"]],
    ['"X" b', ["double"]],
    ["a=X", ["bare"]],
    ["a=(X)", ["bare"]],
    ["echo X", ["bare"]],
  ])("%s", (source, places) => expect(placesOf(source)).toEqual(places));
});

it("the format of printf is no option, whether a value or a variable begins it", () => {
  const ends = (source: string): string[] =>
    readShell(source.replaceAll("X", "\0")).optionEnds.map((at) => source.slice(at));
  const formats = ["X", '"X" a', "'X'", `"'X'"`, "X X", "$a X", '"$a" X', "`a` X", '"$(a)" X'];
  for (const format of formats) {
    for (const head of ["printf", "sudo printf", "printf -v v", "printf -vv"])
      expect(ends(`${head} ${format}`)).toEqual([format]);
  }
  for (const source of ["printf aX", "printf a X", "printf -v X", "printf -- X", "printf -v v a X", "echo X", "a=1 X"])
    expect(ends(source)).toEqual([]);
  expect(ends('a; printf X; printf "X"')).toEqual(['X; printf "X"', '"X"']);
});
