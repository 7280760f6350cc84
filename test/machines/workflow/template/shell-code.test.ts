/** Values that reach code through a script's variables, functions and programs: which are refused, which are not. */
import { describe, expect, it } from "vitest";
import { make, refusal } from "./support.ts";

const X = "{{.inputs.x}}";
const TEXT = 'Fix `the build` of $(x); it\'s "broken"';

/** Places whose text is computed, as the refusal names them. */
const computed = [
  [`big() { [[ $1 -gt 10 ]]; }; big "${X}"`, "stands beside -gt"],
  [`function f { echo $(($1)); }; f "${X}"`, "arithmetic computes"],
  [`f() { local n=$1; (( n > 1 )); }; f "${X}"`, "computes with $n"],
  [`set -- "${X}"; echo $(( $1 * 2 ))`, "arithmetic computes"],
  [`for i in 1 "${X}"; do [[ $i -eq 1 ]]; done`, "computes with $i"],
  [`set -- ${X}; for i; do (( i )); done`, "computes with $i"],
  [`v=${X}; w=$v; u="$w"; echo $((u))`, "computes with $u"],
  [`v=${X}; declare -i n; n=$v`, "computes with $n"],
  [`while read -r n; do [[ $n -eq 1 ]]; done <<EOF\n${X}\nEOF`, "computes with $n"],
  [`read -r <<< "${X}"; echo $((REPLY))`, "computes with $REPLY"],
  [`mapfile -t m <<< "${X}"; echo $((m[0]))`, "computes with $m"],
  [`i=${X}; unset "a[$i]"`, "computes with $i"],
  [`i=${X}; [[ -v a[$i] ]]`, "computes with $i"],
  [`v=${X} bash -c 'echo $((v))'`, "computes with $v"],
  [`export v=${X}; bash -c '[[ $v -eq 1 ]]'`, "computes with $v"],
  [`bash -c '(( $1 ))' x "${X}"`, "arithmetic computes"],
  [`v=$(echo "${X}"); (( v ))`, "computes with $v"],
  [`printf -v v '%s' ${X}; echo $((v))`, "computes with $v"],
  [`RANDOM=${X}`, "computes what is assigned"],
] as const;
/** Places whose text is code. */
const code = [
  `sh -c -- "echo ${X}"`,
  `bash -c -x -o pipefail 'echo ${X}'`,
  `set -- a; for x do eval "echo ${X}"; done`,
  `for ((i=0;i<1;i++)) do eval "echo ${X}"; done`,
  `for ((i=0;i<1;i++)) do ${X}; done`,
  `if [[ a ]] then eval "echo ${X}"; fi`,
  `while [[ a ]] do ${X}; done`,
  `{fd}>/dev/null eval "echo ${X}"`,
  `{fd}>/dev/null ${X}`,
  `"$(command -v bash)" -ec "echo ${X}"`,
  `declare -a x="${X}"`,
  `typeset -A x='${X}'`,
  `f() { local -a x="$1"; }; f "${X}"`,
  `v="${X}"; readonly -a x="$v"`,
  `declare -a x; declare x="${X}"`,
  `x=(1); declare x="${X}"`,
  `declare -a "x=(${X})"`,
  `echo x >&"${X}"`,
  `echo x 2>& ${X}`,
  `v="${X}"; cat <&"$v"`,
  `echo "echo ${X}" | bash /dev/stdin`,
  `. /dev/stdin <<< "${X}"`,
  `echo "${X}" | xargs env`,
  `echo "${X}" | xargs bash -c`,
  `git clone -u "${X}" a b`,
  `git grep -nO"${X}" a`,
  `git grep --open-files-in-pager="${X}" a`,
  `sh -c 'echo ${X}'`,
  `bash -lc "echo ${X}"`,
  `sudo -u bob sh -c "echo ${X}"`,
  `find . -exec bash -c 'echo ${X}' \\;`,
  `echo a | xargs -I_ sh -c 'echo _ ${X}'`,
  `echo "${X}" | xargs -I{} sh -c 'echo {}'`,
  `docker exec box sh -c "ls ${X}"`,
  `eval "echo ${X}"`,
  `v="${X}"; eval "echo $v"`,
  `trap 'rm -f ${X}' EXIT`,
  `python3 -c 'print("${X}")'`,
  `node --eval "console.log('${X}')"`,
  `perl -ne 'print if /${X}/' f`,
  `python3 -c'print("${X}")'`,
  `python3 -Bc"${X}"`,
  `sudo python3 -c${X}`,
  `node -pe'${X}'`,
  `perl -lne'print if /${X}/' f`,
  `ruby -ne'puts ${X}'`,
  `php -r'echo ${X};'`,
  `lua -e'print(${X})'`,
  `gawk -e'/${X}/' f`,
  `sed -ne's/${X}/b/p' f`,
  `env -iS'echo ${X}'`,
  `su -lc'echo ${X}' bob`,
  `script -qc"${X}" log`,
  `mapfile -tC${X} -c1 m < f`,
  `vim +${X} f`,
  `vim -c${X} f`,
  `ruby -e 'puts "${X}"'`,
  `awk '/${X}/' f`,
  `awk -F: "{print ${X}}" f`,
  `sed -i '' "s/x/${X}/" f`,
  `sed -e "s/x/${X}/" f`,
  `ssh -p 22 host "ls ${X}"`,
  `env -S "echo ${X}"`,
  `make build VERSION=${X}`,
  `bash <<EOF\necho ${X}\nEOF`,
  `python3 - <<'EOF'\nprint("${X}")\nEOF`,
  `cat <<EOF | bash\necho ${X}\nEOF`,
  `echo "echo ${X}" | sudo sh`,
  `{ bash; } <<EOF\n${X}\nEOF`,
  `echo "${X}" | (cd x; bash)`,
  `bash <(echo "${X}")`,
  `bash <<< "${X}"`,
  `PS4="${X}"; set -x`,
  `v="${X}"; echo "\${v@P}"`,
  `GIT_SSH_COMMAND="ssh -i ${X}" git fetch`,
  `$SHELL -c "${X}"`,
  `${X} --flag`,
  `if ${X}; then :; fi`,
  `cmd=${X}; $cmd`,
  `$(echo "${X}") --flag`,
  `\`echo ${X}\``,
  `sudo $(printf %s ${X})`,
  `v="${X}"; $(echo $v)`,
  `v="${X}"; \${none:-$v}`,
  `\${none:-$(echo ${X})}`,
  `\${none:-\`echo ${X}\`}`,
  `timeout 5 ${X}`,
  `nice -n 5 ${X}`,
  `sudo -u bob ${X}`,
  `sudo nice timeout -k 1 5 ${X}`,
  `find . -exec ${X} {} \\;`,
  `echo a | xargs -0 ${X}`,
  `v="${X}"; timeout 5 $v`,
  `perl -e 1 -e "${X}"`,
  `perl -M"${X}" -e 1`,
  `perl -ne 1 "${X}"`,
  `perl -0777 -lpe1 f ${X}`,
  `ruby -e 1 -e "${X}"`,
  `Rscript -e 1 -e "${X}"`,
  `osascript -e 'a' -e "${X}"`,
  `julia --eval "${X}"`,
  `erl -noshell -eval "${X}"`,
  `guile -c "${X}"`,
  `expect -c "${X}"`,
  `tclsh <<EOF\n${X}\nEOF`,
  `gnuplot -e "${X}" f`,
  `node --import "${X}" f`,
  `node -e 1 -p "${X}"`,
  `ipython3 -c "${X}"`,
  `pwsh -NoProfile -Command "${X}"`,
  `pwsh -com Write-Host "${X}"`,
  `bash -s -- a <<EOF\necho ${X}\nEOF`,
  `echo "echo ${X}" | bash -es a`,
  `ssh host 'bash -s' <<EOF\necho ${X}\nEOF`,
  `ssh host 'cd a && sudo sh' <<< "${X}"`,
  `sh -c 'python3 -' <<EOF\n${X}\nEOF`,
  `echo "${X}" | sh -c 'cd a; sh'`,
  `echo "${X}" | parallel -j 4`,
  `sem -j 4 "${X}"`,
  `perl -n -e 1 f "${X}"`,
  `echo "${X}" | xargs make`,
  `echo "${X}" | xargs watch -n 5 ls`,
  `xvfb-run python3 - <<EOF\n${X}\nEOF`,
  `chrt 5 ${X}`,
  `time -p ${X}`,
  `docker run --rm -v a:b image ${X}`,
  `docker run -i image python3 - <<< "${X}"`,
  `npx ${X}`,
];

describe("a value that a script computes with", () => {
  it.each(computed)("must be an integer: %s", (source, why) => {
    expect(refusal(source, "a b")).toContain("must be an integer");
    expect(refusal(source, "a[$(x)]")).toContain(why);
    expect(refusal(source, "7")).toBe("");
  });

  it("may hold anything but substitutions when it goes through another program", () => {
    const source = `v=$(jq -r .n <<< "${X}"); (( v > 1 ))`;
    expect([refusal(source, '{"n": "a[0]"}'), refusal(source, "cost: $5")]).toEqual(["", ""]);
    for (const value of ["$(x)", "`x`", "${x}", "a$"]) expect(refusal(source, value)).toContain('no "$("');
    const piped = `printf '%s' "${X}" | sort | while read -r n; do (( n )); done`;
    expect([refusal(piped, "a b"), refusal(piped, "$(x)")]).toEqual(["", expect.stringContaining("no backtick")]);
  });
});

describe("a value in code", () => {
  it.each(code)("must be a plain word: %s", (source) => {
    expect(refusal(source, TEXT)).toContain("must be a plain word");
    expect(refusal(source, "v1.2-rc_3/x@y:z,+%")).toBe("");
  });

  it("is refused with the safe way to write it", () => {
    expect(refusal(`sh -c 'echo ${X}'`, "a b")).toBe(
      "the value must be a plain word (letters, digits, _ - . / : @ , + = %), because sh reads it as code; " +
        `it is a text of 3 characters. Write … -c '… "$1" …' sh "{{…}}"; ` +
        "{{… | raw}} takes any text, as the author's own",
    );
    expect(refusal(`${X} sh -c 'echo $V'`, "V=5")).toBe(
      "a variable before a command must be written out: NAME={{…}} and then the command; " +
        "{{… | raw}} takes any text, as the author's own",
    );
    expect(refusal(`env ${X} printenv V`, "V=5")).toBe("");
    expect(make(`sh -c 'echo {{raw .inputs.x}}'`, "a b").script).toBe("sh -c 'echo a b'");
  });

  it("may be a word made by escape where the shell that reads the code takes it as one word", () => {
    const escaped = (source: string): string => refusal(source.replace("X", "{{.inputs.x | escape}}"), "a'b");
    expect([escaped('sh -c "echo X"'), escaped("bash -c 'echo X y'"), escaped('ssh host "ls X"')]).toEqual([
      "",
      "",
      "",
    ]);
    for (const source of [`sh -c "echo 'X'"`, `sh -c 'echo "X"'`, "eval echo X", `python3 -c "print(X)"`])
      expect(escaped(source)).toContain("must be a plain word");
  });
});

it.each([
  ["for i in {1..{{.inputs.x}}}; do echo $i; done", "3", "for i in {1..3}; do echo $i; done"],
  ["echo {-{{.inputs.x}}..9}", "2", "echo {-2..9}"],
  ["echo a{a..{{.inputs.x}}}b", "e", "echo a{a..e}b"],
])("writes a plain word into a range: %s", (source, x, script) => {
  expect(make(source, x)).toEqual({ script, env: {}, large: {} });
  for (const value of ["", "3}; id", "1 2", "$(id)"]) expect(refusal(source, value)).toContain("in {1..9} the value");
});
