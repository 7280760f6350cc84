/** Values in places where they would be code: reported before anything runs. */
import { describe, expect, it } from "vitest";
import { brief, parse, underlined } from "../fixtures.ts";

const flow = (command: string, inputs = "[{name: x}, {name: n, type: integer}]"): string => `name: w
inputs: ${inputs}
states:
  initial: a
  a: {type: command, command: ${JSON.stringify(command)}, on_success: d}
  d: {type: terminal}
`;
const found = (command: string, inputs?: string, awf = false) => {
  const source = flow(command, inputs);
  const { findings, workflow } = parse(source, { awf });
  return { codes: brief(findings), at: underlined(source, findings), findings, workflow };
};

describe("a template in code", () => {
  it.each([
    "sh -c 'echo {{.inputs.x}}'",
    "eval echo {{.inputs.x}}",
    "trap 'rm {{.inputs.x}}' EXIT",
    "echo a | xargs -I_ sh -c 'echo _ {{.inputs.x}}'",
    "python3 -c 'print({{.inputs.x}})'",
    "awk '/{{.inputs.x}}/' f",
    "python3 - <<'EOF'\nprint({{.inputs.x}})\nEOF",
    "echo ${{.inputs.x}}",
    "git rebase -x 'make {{.inputs.x}}' main",
    "tar -I '{{.inputs.x}}' -cf a b",
    "psql -c 'select {{.inputs.x}}'",
    "ssh host 'bash -s' <<EOF\necho {{.inputs.x}}\nEOF",
  ])("is an error that shows the safe way, and a warning in AWF's folders: %s", (command) => {
    const { codes, at, findings, workflow } = found(command);
    expect([codes, at]).toEqual([[expect.stringMatching(/^5:\d+ VALUE_AS_CODE$/)], ["{{.inputs.x}}"]]);
    // Where no value can stand, the message says what to do.
    const [said] = findings.map(({ message, expected }) => (message.includes("leave it out") ? message : expected));
    expect([said, workflow === null]).toEqual([expect.any(String), false]);
    expect(found(command, undefined, true).codes).toEqual([expect.stringMatching(/VALUE_AS_CODE \(warning\)$/)]);
  });

  it("names the safe form", () => {
    const [finding] = found("sh -c 'echo {{.inputs.x}}'").findings;
    expect(finding).toMatchObject({
      message: "a value here becomes code (sh reads it as code); a run takes a plain word, and refuses any other",
      expected: `… -c '… "$1" …' sh "{{…}}"; or {{… | raw}} for text that is yours`,
    });
  });

  it.each([
    "sed 's/a/{{.inputs.x}}/' f",
    "make build X={{.inputs.x}}",
    "{{.inputs.x}} --version",
    "make {{.inputs.x}}",
    "rsync -e 'ssh -p {{.inputs.x}}' a b",
    "docker run image {{.inputs.x}}",
  ])("is a warning where most values are plain words: %s", (command) => {
    expect(found(command).codes).toEqual([expect.stringMatching(/VALUE_AS_CODE \(warning\)$/)]);
  });

  it.each([
    ["an integer", "sh -c 'echo {{.inputs.n}}'", undefined],
    ["a state's exit code", "sh -c 'echo {{.states.a.ExitCode}}'; true", undefined],
    ["the author's raw", "sh -c 'echo {{raw .inputs.x}}'", undefined],
    ["a word that escape made", 'sh -c "echo {{escape .inputs.x}}"', undefined],
    ["an enum of plain words", "sh -c 'echo {{.inputs.x}}'", "[{name: x, validation: {enum: [dev, prod-1]}}]"],
    [
      "a pattern of plain words",
      "make X={{.inputs.x}}",
      "[{name: x, validation: {pattern: '^\\d+\\.\\d+(-[a-z0-9.]+)?$'}}]",
    ],
  ])("is no finding for %s", (_, command, inputs) => {
    expect(found(command, inputs).codes.filter((code) => code.includes("VALUE_AS_CODE"))).toEqual([]);
  });

  it.each(["^.+$", "[a-z]+", "^[%-z]+$", "^a b$", "^[^;]+$", "^\\S+$", "^a|.*$"])(
    "a pattern like %s does not make a value safe",
    (pattern) => {
      const { codes } = found("sh -c 'echo {{.inputs.x}}'", `[{name: x, validation: {pattern: '${pattern}'}}]`);
      expect(codes).toEqual([expect.stringContaining("VALUE_AS_CODE")]);
    },
  );

  it("is found in each branch of a template, and in hooks", () => {
    const branch = "{{if .inputs.n}}echo {{.inputs.x}}{{else}}sh -c 'echo {{.inputs.x}}'{{end}}";
    expect(found(branch).codes).toEqual([expect.stringContaining("VALUE_AS_CODE")]);
    const source = flow("true")
      .replace("initial: a", "initial: a")
      .concat("hooks: {workflow_end: [{command: 'eval {{.inputs.x}}'}]}\n");
    expect(brief(parse(source).findings)).toEqual([expect.stringMatching(/^7:\d+ VALUE_AS_CODE$/)]);
  });
});

describe("a text where a number is computed", () => {
  it.each([
    "echo $(( {{.inputs.x}} + 1 ))",
    "n={{.inputs.x}}; echo $(( n + 1 ))",
    "[[ {{.inputs.x}} -gt 3 ]]",
    "let y={{.inputs.x}}",
    "{{if .inputs.n}}echo{{end}} $(({{.inputs.x}}))",
  ])("is a warning: %s", (command) => {
    const { codes, at, findings } = found(command);
    expect([codes, at]).toEqual([[expect.stringMatching(/VALUE_AS_CODE \(warning\)$/)], ["{{.inputs.x}}"]]);
    expect(findings[0]).toMatchObject({
      message: expect.stringMatching(/^a run takes an integer here, because .*, and refuses any other text$/),
      expected: "an input of type integer",
    });
  });

  it.each([
    ["a yes or no", "[{name: x, type: boolean}]"],
    ["words", "[{name: x, validation: {enum: ['1', two]}}]"],
  ])("is one for an input of %s, too", (_, inputs) => {
    expect(found("echo $(({{.inputs.x}}))", inputs).codes).toEqual([expect.stringMatching(/\(warning\)$/)]);
  });

  it.each([
    ["an integer", "echo $(({{.inputs.n}}))", undefined],
    ["integers", "echo $(({{.inputs.x}}))", "[{name: x, validation: {enum: ['1', '-20']}}]"],
    ["a pattern, whatever it says", "echo $(({{.inputs.x}}))", "[{name: x, validation: {pattern: '^[0-9]+$'}}]"],
    ["what only the run knows", "echo $(({{.env.HOME}} + {{.states.a.ExitCode}}))", undefined],
    ["the author's raw", "echo $(({{.inputs.x | raw}}))", undefined],
  ])("is no finding for %s", (_, command, inputs) => {
    expect(found(command, inputs).codes.filter((code) => code.includes("VALUE_AS_CODE"))).toEqual([]);
  });
});

it("an input that a command names and does not get is reported in AWF's folders", () => {
  const { findings } = found('echo "$EDITOR" "$x"', "[{name: EDITOR}, {name: x}]", true);
  expect(findings.map(({ message, severity }) => [message, severity])).toEqual([
    ["$EDITOR is no input: programs heed that name, so no input is passed under it", "warning"],
  ]);
  expect(found('echo "$EDITOR"', "[{name: EDITOR}]").codes).toEqual([]);
});
