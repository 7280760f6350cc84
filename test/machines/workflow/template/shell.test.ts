import { describe, expect, it } from "vitest";
import { MAX_ENV_BYTES, renderCommand, shellCommand } from "../../../../machines/workflow/template/shell.ts";
import { make, parsed, refusal } from "./support.ts";

describe("shellCommand", () => {
  it.each([
    ["echo {{.inputs.x}}", "echo $T1"],
    ['echo "{{.inputs.x}}"', 'echo "${T1}"'],
    ["echo '{{.inputs.x}}'", `echo ''"$T1"''`],
    ["cat <<E\n{{.inputs.x}}\nE", "cat <<E\n${T1}\nE"],
    ["cat <<'E'\n{{.inputs.x}}$\\`\nE", "cat <<E\n${T1}\\$\\\\\\`\nE"],
    ["cat <<-'A B'\n\t{{.inputs.x}}\n\tA B\nEOF", "cat <<-EOF_\n\t${T1}\n\tEOF_\nEOF"],
    ["cat <<'E'\n$HOME\nE\necho {{.inputs.x}}", "cat <<'E'\n$HOME\nE\necho $T1"],
    ["[ {{.inputs.x}} = a ]", '[ "$T1" = a ]'],
    ['printf "{{.inputs.x}}" a', 'printf -- "${T1}" a'],
    ["printf a{{.inputs.x}} {{.inputs.x}}", "printf a$T1 $T2"],
    ["echo $(({{.inputs.x}}))", "echo $((${T1}))"],
    ["echo {{.inputs.x | raw}}", "echo 7"],
    ["echo {{parameters.p}}", "echo $HOME 'x'"],
    ["echo {{.inputs.x | escape}}", 'echo "$T1"'],
    ["T1=a; echo {{.inputs.x}}", "T1=a; echo $TROUPE_T1"],
    ["T1=a TROUPE_T9=; echo {{.inputs.x}}", "T1=a TROUPE_T9=; echo $TROUPE_T_1"],
    ["{{if eq .inputs.x 7}}a {{.inputs.x}}{{else}}b{{end}}{{range 2}} {{.}}{{end}}", "a $T1 $T2 $T3"],
    ["ls -lt {{.inputs.x}}", "ls -lt $T1"],
    ['echo "C:\\{{.inputs.x}}"', 'echo "C:\\\\${T1}"'],
  ])("%s", (source, script) => {
    expect(make(source, 7).script).toBe(script);
  });

  it("writes the escaped text inside quotes only", () => {
    expect(make('sh -c "echo {{.inputs.x | escape}}"', "a'b").env).toEqual({ T1: "'a'\\''b'" });
    expect(make("echo {{.inputs.x | escape}}", "a'b").env).toEqual({ T1: "a'b" });
  });

  it.each([
    ["echo \\{{.inputs.x}}", /a backslash stands before/],
    ["echo ${{.inputs.x}}", /would name a variable/],
    ["cat <<{{.inputs.x}}\n", /delimiter of a heredoc/],
    ["cat <<'E'{{.inputs.x}}\n{{.inputs.x}}\nE", /delimiter of a heredoc/],
    ["echo `echo \\`echo {{.inputs.x}}\\``", /write \$\(…\)/],
    ["unset {{.inputs.x}}", /plain name/],
    ["read -r {{.inputs.x}}", /plain name/],
    ["[[ -v {{.inputs.x}} ]]", /plain name/],
    ["printf -v {{.inputs.x}} a", /plain name/],
    ["declare {{.inputs.x}}", /plain name/],
    ["a[ 'b\n]; cat <<'E'\n{{.inputs.x}}\nE", /index of an array/],
    ["a=(<<'E'\n{{.inputs.x}}\nE\n)", /redirection stands in an array/],
    ["echo ${x@{{.inputs.x}}}", /name or operator/],
    ["((echo a); echo {{.inputs.x}})\ncat <<'E'\n{{.inputs.x}}\nE", /./],
  ])("refuses %s", (source, message) => {
    expect(refusal(source, "a b")).toMatch(message);
  });

  it("refuses NUL and unexpanded control flow", () => {
    expect(refusal("echo {{.inputs.x}}", "a\0b")).toMatch(/NUL/);
    expect(() => shellCommand(parsed("{{if true}}x{{end}}"))).toThrow(/must be expanded/);
    expect(() => shellCommand(parsed("{{.x}}"))).toThrow(/was not expanded/);
  });

  it("puts the prelude after a shebang, and uses the file name that the caller gives", () => {
    const value = "x".repeat(MAX_ENV_BYTES + 1);
    const made = renderCommand(
      parsed("#!/bin/sh\necho {{.v}}"),
      { v: value },
      {},
      { readLarge: (name) => `cat /f/${name}` },
    );
    expect(made).toEqual({
      script: "#!/bin/sh\nunset T1; T1=$(cat /f/T1 && printf .) || exit 1; T1=${T1%.}\necho $T1",
      env: {},
      large: { T1: value },
    });
    expect(Object.keys(renderCommand(parsed("echo {{.v}}"), { v: "x".repeat(MAX_ENV_BYTES) }).large)).toEqual([]);
  });
});
