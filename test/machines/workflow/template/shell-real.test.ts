/** The invariants of shell.ts: what real shells do with the scripts. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { make, refusal } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "shell-"));
const marker = join(folder, "marker");
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => rmSync(marker, { force: true }));

/** Runs a command template for real; large values are written to files as an actor would. */
function run(shell: string, source: string, x: string | number, more: { [name: string]: string } = {}): string {
  const { script, env, large } = make(source, x, more);
  for (const [name, value] of Object.entries(large)) writeFileSync(join(folder, name), value, { mode: 0o600 });
  const options = {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", TROUPE_VALUES: folder, LC_ALL: "C.UTF-8", ...env },
    maxBuffer: 1 << 24,
  };
  try {
    return execFileSync(shell, ["-c", script], { ...options, stdio: ["ignore", "pipe", "pipe"] }).toString();
  } catch (error) {
    // A command may fail on odd words. Then it counts that nothing of the value ran.
    return String((error as { stdout?: Buffer }).stdout ?? "");
  }
}

const touch = `touch ${marker}`;
const payloads = [
  `; ${touch}`,
  `'; ${touch}; '`,
  `"; ${touch}; "`,
  `$(${touch})`,
  `\`${touch}\``,
  `&& ${touch}`,
  `|| ${touch}`,
  `| ${touch}`,
  `& ${touch} &`,
  `\n${touch}\n`,
  `a\n${touch}`,
  `\${x:=$(${touch})}`,
  `$((a[$(${touch})]))`,
  `a[$(${touch})]`,
  `x[\`${touch}\`]`,
  `a[$(${touch})]=1`,
  `'"$(${touch})"'`,
  `\\'; ${touch}; #`,
  `\\"; ${touch}; #`,
  `\\`,
  `'`,
  `"`,
  `EOF\n${touch}\n`,
  `EOF\n${touch}\ncat <<EOF`,
  `\nEOF)\n${touch}\n`,
  `) ; ${touch} ; (`,
  `}; ${touch}; {`,
  `*; ${touch}`,
  `0 -o 1); ${touch}; (`,
  `<(${touch})`,
  `#\n${touch}`,
  `!${touch}`,
  `-v a[$(touch\${IFS}${marker})]`,
  `-va[$(touch\${IFS}${marker})]`,
  `ä€😀 $(${touch})\n\n`,
  `%s\\n$(${touch})`,
];

/** Contexts that must print the value byte for byte, between brackets. */
const exact = {
  double: `printf '%s' "[{{.inputs.x}}]"`,
  single: `printf '%s' '[{{.inputs.x}}]'`,
  heredoc: `cat <<EOF\n[{{.inputs.x}}]\nEOF`,
  "quoted heredoc": `cat <<'EOF'\n[{{.inputs.x}}]\nEOF`,
  escaped: `printf '%s' [{{.inputs.x | escape}}]`,
  assigned: `v={{.inputs.x}}; printf '%s' "[$v]"`,
  exported: `export V={{.inputs.x}}; printf '%s' "[$V]"`,
  "substitution in double quotes": `printf '%s' "$(printf '%s' "[{{.inputs.x}}]")"`,
  "single quotes in a substitution": `printf '%s' "$(printf '%s' '[{{.inputs.x}}]')"`,
  "heredoc of an odd delimiter": `cat <<'the end'\n[{{.inputs.x}}]\nthe end`,
  "quoted heredoc in a substitution": `v=$(cat <<'EOF'\n[{{.inputs.x}}]$HOME\\ \`\nEOF\n); printf '%s' "\${v%\\$HOME*}"`,
  backticks: `printf '%s' \`printf '%s' "[{{.inputs.x}}]" | od -v -An -tx1 | tr -dc 0-9a-f\``,
  parameter: `printf '%s' "\${NONE:-[{{.inputs.x}}]}"`,
  case: `case x in x) printf '%s' "[{{.inputs.x}}]";; esac`,
  "after an escaped dollar": `printf '%s' "[{{.inputs.x}}]" # it's {{.inputs.x}}`,
};
/** Contexts where it counts only that nothing of the value runs. */
const inert = {
  bare: "printf '<%s>' {{.inputs.x}}",
  "bare glued": "printf '<%s>' a{{.inputs.x}}b",
  "command substitution": "printf '<%s>' $(printf '<%s>' {{.inputs.x}})",
  comment: "printf x # {{.inputs.x}}\nprintf y",
  pattern: "case a in {{.inputs.x}}) echo hit;; esac",
  "prefix assignment": "V={{.inputs.x}} env",
  test: "[ {{.inputs.x}} ] && printf y",
  "format of printf": 'printf "{{.inputs.x}}" a; printf {{.inputs.x}} a',
};
/** Contexts that take integers only. */
const integers = {
  arithmetic: "echo $(( {{.inputs.x}} + 1 ))",
  "-eq": "[ {{.inputs.x}} -eq 5 ] && echo yes",
  "-gt right": 'if test 3 -lt "{{.inputs.x}}"; then echo yes; fi',
  "computed later": 'n="{{.inputs.x}}"; echo $((n + 1))',
};
const bashIntegers = {
  "double parentheses": "(( {{.inputs.x}} > 1 )) && echo yes",
  let: 'let "n={{.inputs.x}}+1"; echo $n',
  index: "a[{{.inputs.x}}]=v; echo ${a[5]}",
  "index read": "a=(1 2 3 4 5 6); echo ${a[{{.inputs.x}}]}",
  "[[ -eq": "[[ '{{.inputs.x}}' -eq 5 ]] && echo yes",
  "for ((": "for ((i=4; i<{{.inputs.x}}; i++)); do echo $i; done",
  substring: "s=abcdefg; echo ${s:{{.inputs.x}}:1}",
  declared: "declare -i n={{.inputs.x}}; echo $n",
  "old arithmetic": "echo $[ {{.inputs.x}} + 1 ]",
  indirect: "n={{.inputs.x}}; echo ${!n}",
  "[[ later": "n='{{.inputs.x}}'; [[ $n -eq 5 ]] && echo yes",
};

describe.each(["sh", "bash"])("%s", (shell) => {
  it.each(Object.entries(exact))("hands over every byte: %s (I1)", (name, source) => {
    for (const payload of payloads) {
      const end = name.includes("heredoc") && !name.includes("substitution") ? "\n" : "";
      const wanted = name === "backticks" ? Buffer.from(`[${payload}]`).toString("hex") : `[${payload}]${end}`;
      expect([payload, run(shell, source, payload)]).toEqual([payload, wanted]);
      expect(existsSync(marker)).toBe(false);
    }
  });

  it("would see a value that runs", () => {
    run(shell, "printf '%s' {{.inputs.x | raw}}", payloads[3] ?? "");
    expect(existsSync(marker)).toBe(true);
  });

  it.each(Object.entries(inert))("runs nothing of a value: %s (I1)", (_, source) => {
    for (const payload of payloads) {
      run(shell, source, payload);
      expect([payload, existsSync(marker)]).toEqual([payload, false]);
    }
  });

  it.each(Object.entries(shell === "sh" ? integers : { ...integers, ...bashIntegers }))(
    "takes integers only: %s (I2)",
    (name, source) => {
      for (const payload of [...payloads, "", "5 5", "0x5", "5.0", "x"])
        expect([payload, refusal(source, payload)]).toEqual([payload, expect.stringMatching(/must be an integer/)]);
      expect(run(shell, source, "5\n")).toBe(
        {
          arithmetic: "6\n",
          "computed later": "6\n",
          let: "6\n",
          index: "v\n",
          "index read": "6\n",
          "for ((": "4\n",
          substring: "f\n",
          declared: "5\n",
          "old arithmetic": "6\n",
          indirect: "\n",
        }[name] ?? "yes\n",
      );
    },
  );

  it("splits a bare value into words and evaluates nothing", () => {
    expect(run(shell, "printf '<%s>' {{.inputs.x}}", "a  b $HOME 'c d'")).toBe("<a><b><$HOME><'c><d'>");
    expect(run(shell, "echo {{.inputs.x}}_1 {{.inputs.x}}{{.inputs.x}}", "v")).toBe("v_1 vv\n");
  });

  it.each(["double", "single", "heredoc", "quoted heredoc", "exported", "quoted heredoc in a substitution"] as const)(
    "carries 1 MiB: %s (I4)",
    (context) => {
      const value = `${"0123456789abcd'\n".repeat(65536)}\n`;
      const { env, large, script } = make(exact[context], value);
      expect([Object.keys(env), Object.values(large), script.length < 1000]).toEqual([[], [value], true]);
      const source = context === "exported" ? exact.assigned : exact[context];
      const wanted = `[${value}]${context.endsWith("heredoc") ? "\n" : ""}`;
      expect(run(shell, source, value) === wanted).toBe(true);
    },
  );
});
