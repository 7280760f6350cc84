/**
 * Random scripts with values in random places, under real shells: in no script does anything of a value run.
 * A script that cannot be read safely may be refused instead. TROUPE_FUZZ sets the number of scripts and draws new ones
 * each time. No script computes with the output of a command: that is up to the author, see shell.ts.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { parseTemplate } from "../../../../machines/workflow/template/parse.ts";
import { TemplateError } from "../../../../machines/workflow/template/render.ts";
import { renderCommand, type ShellCommand } from "../../../../machines/workflow/template/shell.ts";

const FUZZ = process.env["TROUPE_FUZZ"];
const SCRIPTS = Number(FUZZ ?? 300);
const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
/** Where the scripts run: files that they write by accident stay here. */
const cwd = join(folder, "work");
const marker = join(folder, "m");
mkdirSync(cwd);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const X = "{{.inputs.x}}";
const hole = fc.constantFrom(X, X, X, "{{.inputs.n}}", "{{.inputs.x | escape}}");
const plain = fc.constantFrom("a", "b c", "$HOME", "\\\\", "1", "it''s", "*", "${V:-d}", "#", "\t", "é");
const piece = fc.oneof({ weight: 2, arbitrary: hole }, { weight: 1, arbitrary: plain });
const text = fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
const delimiter = fc.constantFrom("EOF", "'EOF'", '"EOF"', "\\EOF", "E'O'F", "'a b'", "'.'");

/** Words and commands that contain each other. Only `printf` writes, so that no value is ever a command's name. */
const { command } = fc.letrec<{ word: string; command: string }>((tie) => {
  const inner = tie("command");
  const word = fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    text.map((t) => `"${t}"`),
    text.map((t) => `'${t.replaceAll("'", "")}'`),
    text.map((t) => `$'${t.replaceAll("'", "")}'`),
    fc
      .tuple(fc.constantFrom(":-", "-", ":+", "#", "%", "##", "/", ":", ":=", "^"), text)
      .map(([op, t]) => `\${V${op}${t}}`),
    text.map((t) => `"\${V:-${t}}"`),
    fc.constantFrom(`$((${X}+1))`, `$((n+{{.inputs.n}}))`, `\${A[${X}]}`, `\${A[{{.inputs.n}}]}`, `$[${X}]`),
    inner.map((c) => `$(${c})`),
    inner.map((c) => `"$(${c})"`),
    inner.map((c) => `"$(${c}\n)"`),
    inner.map((c) => `\`${c}\``),
  );
  const heredoc = fc
    .tuple(delimiter, fc.constantFrom("<<", "<<-", "<< "), fc.array(text, { maxLength: 3 }))
    .map(([d, op, lines]) => {
      const end = d.replace(/['"\\]/g, "");
      return `cat ${op}${d}\n${lines.map((line) => `${op === "<<-" ? "\t" : ""}${line}\n`).join("")}${op === "<<-" ? "\t" : ""}${end}\n`;
    });
  const two = fc.tuple(tie("word"), tie("word"));
  return {
    word: word as fc.Arbitrary<string>,
    command: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.array(tie("word"), { minLength: 1, maxLength: 3 }).map((words) => `printf '%s\\n' ${words.join(" ")}`),
      tie("word").map((w) => `printf ${w} end`),
      heredoc,
      fc
        .tuple(fc.constantFrom("V=", "export V=", "V=pre", "local V=", "readonly R=", "A=(", "A[1]="), tie("word"))
        .map(([a, w]) => `${a}${w}${a.endsWith("(") ? ")" : ""}`),
      fc.tuple(fc.constantFrom("=", "!=", "-eq", "-lt", "-nt"), two).map(([op, [a, b]]) => `[ ${a} ${op} ${b} ]`),
      fc.tuple(fc.constantFrom("=", "==", "<", "=~"), two).map(([op, [a, b]]) => `[[ ${a} ${op} ${b} ]]`),
      fc.tuple(text, text).map(([a, b]) => `[[ "${a}" -eq '${b.replaceAll("'", "")}' ]]`),
      text.map((t) => `declare -i I=${t}`),
      tie("word").map((w) => `[ -n ${w} ]`),
      tie("word").map((w) => `test ${w}`),
      fc.tuple(tie("word"), inner).map(([w, c]) => `case ${w} in ${w}) ${c};; *) ${c};; esac`),
      fc.tuple(tie("word"), inner).map(([w, c]) => `for i in ${w}; do ${c}; printf '%s' "$i"; done`),
      inner.map((c) => `if ${c}; then ${c}; fi`),
      inner.map((c) => `( ${c} )`),
      inner.map((c) => `{ ${c}; }`),
      inner.map((c) => `f() { ${c}; }; f`),
      inner.map((c) => `${c} | cat`),
      fc.tuple(inner, tie("word")).map(([c, w]) => `${c} # ${w}`),
      tie("word").map((w) => `cat <<< ${w}`),
      fc.constantFrom(
        `(( ${X} ))`,
        `let "n=${X}"`,
        `read -r ${X} </dev/null`,
        `unset ${X}`,
        `printf -v ${X} a`,
        "n=5; echo $((n))",
      ),
      fc.tuple(inner, inner).map(([a, b]) => `${a}\n${b}`),
      fc.tuple(inner, inner).map(([a, b]) => `${a}; ${b}`),
    ) as fc.Arbitrary<string>,
  };
});

/** A script with mistakes: a few characters removed, added or doubled. Holes stay whole. */
const slips = fc.array(
  fc.tuple(
    fc.nat(),
    fc.constantFrom("", "", "'", '"', "`", "\\", "(", ")", "$", "{", "}", "\n", "<<E\n", "#", "]", " "),
  ),
  { maxLength: 2 },
);
const script = fc
  .tuple(command, fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: slips }))
  .map(([source, changes]) => {
    const parts = source.split(/(\{\{.*?\}\})/);
    for (const [at, insert] of changes) {
      const index = (at % Math.ceil(parts.length / 2)) * 2;
      const part = parts[index] ?? "";
      const place = part.length === 0 ? 0 : at % part.length;
      parts[index] = part.slice(0, place) + insert + part.slice(insert === "" ? place + 1 : place);
    }
    return parts.join("");
  });

const run = `touch\${IFS}${marker}`;
/** Texts that close what is open, and a command in every form. No value begins with a command's name or an option. */
const token = fc.constantFrom(
  "'",
  '"',
  "`",
  "\\",
  "\n",
  ";",
  "&&",
  "|",
  ")",
  "}",
  "]",
  "]]",
  "))",
  ";;",
  "esac",
  "fi",
  "done",
  "EOF\n",
  "\nEOF\n",
  "\na b\n",
  "\n.\n",
  `$(${run})`,
  `\`${run}\``,
  `;${run};`,
  `\n${run}\n`,
  `;touch ${marker};`,
  `\ntouch ${marker}\n`,
  `a[$(${run})]`,
  `\${q:=$(${run})}`,
  `<(${run})`,
  `-v a[$(${run})]`,
  "#",
  " ",
  "*",
  "$",
  "${",
  "=",
  "-eq",
  "%s",
  "x",
);
const value = fc
  .tuple(
    fc.constantFrom("x", "'", '"', ")", "\\", "}", `-va[$(touch\${IFS}${marker})]`, "$("),
    fc.array(token, { minLength: 1, maxLength: 6 }),
  )
  .map(([first, rest]) => first + rest.join(""));

/** Null when the script is refused. */
function made(source: string, x: string): ShellCommand | null {
  const parsed = parseTemplate(source);
  if (!parsed.ok) return null;
  try {
    return renderCommand(parsed.template, { inputs: { x, n: 3 } });
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

/** The content of the marker after both shells have run the script: it must be empty. */
function ranIn(source: string, x: string): string[] {
  const command = made(source, x);
  if (command === null) return [];
  expect(command.script).not.toContain(marker);
  return ["sh", "bash"].filter((shell) => {
    rmSync(marker, { force: true });
    spawnSync(shell, ["-c", command.script], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8", ...command.env },
      stdio: ["ignore", "ignore", "ignore"],
      timeout: 5_000,
      killSignal: "SIGKILL",
    });
    return existsSync(marker);
  });
}

it("runs nothing of a value in any script, and splices none", { timeout: 60_000 + SCRIPTS * 100 }, () => {
  fc.assert(
    fc.property(script, value, (source, x) => {
      expect(ranIn(source, x)).toEqual([]);
    }),
    { numRuns: SCRIPTS, ...(FUZZ === undefined ? { seed: 20_260_729 } : {}) },
  );
});

it("reads most scripts: the property above is about scripts that run", () => {
  const all = fc.sample(fc.tuple(script, fc.constantFrom("x", "5")), { numRuns: 300, seed: 7 });
  const read = all.filter(([source, x]) => source.includes("{{") && made(source, x) !== null);
  expect(read.length).toBeGreaterThan(100);
});

it("would see a value that runs", () => {
  expect(ranIn("printf '%s' {{.inputs.x | raw}} end".replace(" | raw", ""), `$(${run})`)).toEqual([]);
  spawnSync("sh", ["-c", `printf x; ${run}`], { cwd });
  expect(existsSync(marker)).toBe(true);
});
