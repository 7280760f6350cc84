/** Hostile values in strings of Python and JavaScript, read by the programs themselves: each is the text that it was (T7). */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type LiteralLanguage, literalScript } from "../../machines/workflow/template/literal-script.ts";
import { parseTemplate } from "../../machines/workflow/template/parse.ts";
import { expand } from "../../machines/workflow/template/render.ts";

const ATOMS =
  "'|\"|`|'''|\"\"\"|\\|\\\\|\n|\r|\r\n|\t|\u0001|\u0085|\u2028|\u2029|é|😀|{|}|{{|}}|${|$|${hit()}|{hit()}|(|)|;|#|//|/*|*/" +
  "|hit()|\nhit()\n|\\x41|\\N{DASH}|\\u0041|\\u{41}|\\1|0|7|u|N|x|%s| |+|'+hit()+'|\"+hit()+\"|`+hit()+`|<!--|-->|</script>";
const values = fc.array(fc.constantFrom(...ATOMS.split(/(?<!\|)\|/)), { maxLength: 8 }).map((parts) => parts.join(""));

type Program = { language: LiteralLanguage; argv: [string, ...string[]]; places: string[] };
const V = "{{.inputs.v}}";
const PROGRAMS: Program[] = [
  {
    language: "python",
    argv: [
      "python3",
      "-c",
      "import json,sys\nall=[]\n" +
        "for script in json.load(sys.stdin):\n got=[]\n def hit(): got.append('HIT')\n" +
        " try: exec(compile(script.encode(),'script','exec'),{'out':got.append,'hit':hit,'k':'K'})\n" +
        " except Exception as error: got.append('fault: '+repr(error))\n all.append(got)\nprint(json.dumps(all))",
    ],
    places: [
      ...[`'${V}'`, `"${V}"`, `'''${V}'''`, `"""${V}"""`, `"""\n"${V}'"""[2:-1]`, `u'${V}'`, `b"${V}".decode()`],
      ...[`f'${V}{k}'[:-1]`, `f"{k}${V}"[1:]`, `F"""{k}${V}"""[1:]`, `r"${V}"`, `rb'''${V}'''.decode()`, `rf"${V}"`],
      `"x" "${V}"[0:]`.replace('"x" ', ""),
    ],
  },
  {
    language: "javascript",
    argv: [
      process.execPath,
      "-e",
      "const vm=require('node:vm');const all=[];" +
        "for(const script of JSON.parse(require('node:fs').readFileSync(0,'utf8'))){const got=[];" +
        "try{vm.runInNewContext(script,{out:(x)=>got.push(x),hit:()=>got.push('HIT'),k:'K'})}" +
        "catch(error){got.push('fault: '+error)}all.push(got)}console.log(JSON.stringify(all))",
    ],
    places: [`'${V}'`, `"${V}"`, `\`${V}\``, `\`\${k}${V}\`.slice(1)`, `String.raw\`${V}\``, `(k) / 2 ? "" : '${V}'`],
  },
];
const has = ({ argv }: Program): boolean => spawnSync(argv[0], ["--version"]).status === 0;

for (const program of PROGRAMS) {
  test.skipIf(!has(program))(`no value is more than its text in ${program.language}`, () => {
    const sample = ["", "'", '"', "\\", "\n", ...fc.sample(values, { numRuns: 400, seed: 11 })];
    const cases = program.places.flatMap((place) =>
      sample.flatMap((value) => {
        const parsed = parseTemplate(`out(${place})\n`);
        if (!parsed.ok) throw new Error(place);
        try {
          return [
            {
              place,
              value,
              script: literalScript(expand(parsed.template, { inputs: { v: value } }), program.language),
            },
          ];
        } catch {
          return [];
        }
      }),
    );
    const [command, ...args] = program.argv;
    const ran = spawnSync(command, args, {
      input: JSON.stringify(cases.map(({ script }) => script)),
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    });
    expect(ran.stderr).toBe("");
    const said = JSON.parse(ran.stdout) as string[][];
    const wrong = cases.filter(({ value }, index) => said[index]?.length !== 1 || said[index]?.[0] !== value);
    expect(wrong.slice(0, 3)).toEqual([]);
    // Only raw strings refuse anything.
    for (const place of program.places) {
      const passed = cases.filter((each) => each.place === place).length;
      if (/^r|^String\.raw/.test(place)) expect(passed).toBeGreaterThan(10);
      else expect([place, passed]).toEqual([place, sample.length]);
    }
  });
}
