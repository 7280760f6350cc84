/** Inputs that are variables of a command: which names a script reads, and which none may have. */
import { expect, test } from "vitest";
import { isDenied, namedInputs, unsetInputs } from "../../../../machines/workflow/template/shell-inputs.ts";

const SECRETIVE =
  "PATH HOME IFS ENV BASH_ENV SHELLOPTS BASHOPTS CDPATH GLOBIGNORE SHELL USER LOGNAME PWD OLDPWD TMPDIR TERM LANG";
const PROMPTS =
  "PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND EDITOR VISUAL PAGER BROWSER OPTARG OPTIND REPLY RANDOM SECONDS LINENO";
const HEADS = "TROUPE NODE NPM LD DYLD GIT PYTHON PERL RUBY JAVA BASH LC SSH GPG XDG DOCKER MAKE";
const FORMS = "npm_config_x NPMX http_proxy HTTPS_PROXY PYTHONPATH PERL5LIB RUBYOPT JAVAHOME MAKEFLAGS git_dir";
test("no input is passed under a name that programs heed (I2)", () => {
  const names = `${SECRETIVE} ${PROMPTS} ${HEADS} ${FORMS}`
    .split(" ")
    .concat(HEADS.split(" ").map((head) => `${head}_X`));
  expect(names.filter((name) => !isDenied(name))).toEqual([]);
  const free = "target path Path MYPATH PATHX X_PATH NODES GITX XNODE X_GIT MAKER proxy PROXY_X SHELLX PS5 LCX".split(
    " ",
  );
  expect(free.filter(isDenied)).toEqual([]);
});

test.each([
  ["echo $a", ["a"]],
  ['echo "$a$b1"', ["a", "b1"]],
  ["echo ${a:-x} ${#b1} ${!_c}", ["a", "b1", "_c"]],
  ["echo $ab $b1x ${_cd}", []],
  ["echo a b1", []],
  ["echo $ a ${{a}}", []],
  ['python3 -c \'import os; print(os.environ["a"], os.environ.get("b1"), os.getenv("_c"))\'', ["a", "b1", "_c"]],
  ["node -e 'process.env.a; process.env[\"b1\"]'", ["a", "b1"]],
  ["ruby -e 'puts ENV[\"a\"]'; perl -e 'print $ENV{b1}'; awk 'END{print ENVIRON[\"_c\"]}'", ["a", "b1", "_c"]],
  ['getenv(     "a")', []],
  ["process.env.ab ENV.b1x", []],
])("%s names %j (I1)", (script, named) => {
  expect(namedInputs(script, ["a", "b1", "_c"])).toEqual(named);
});

test("what is no name of a variable is none of them", () => {
  expect(namedInputs("$my-input $1a ${a.b} $é", ["my-input", "1a", "a.b", "é", ""])).toEqual([]);
});

test.each([
  ["echo $x", ["x"]],
  ['echo "${x}" $xy', ["x"]],
  ["x=1; echo $x", []],
  ["x+=1; echo $x", []],
  ["for x in 1 2; do echo $x; done", []],
  ["read -r y x; echo $x", []],
  ["jq --arg x '{{.inputs.x}}' '.a == $x'", []],
  ["echo $PATH", []],
] as const)("of inputs, %j names as variables that it does not set: %j", (script, unset) => {
  expect(unsetInputs(script, ["x", "PATH"])).toEqual(unset);
});
