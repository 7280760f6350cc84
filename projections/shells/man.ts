/** The manual page: every command with its arguments and options, in the language of `man`. */

export type Described = {
  /** From the program's name on. */
  name: string;
  usage: string;
  description: string;
  options: readonly { flags: string; description: string }[];
  commands: readonly Described[];
};

/** The variables that a person at a terminal sets most; docs/configuration.md has all. */
const ENVIRONMENT: readonly (readonly [name: string, does: string])[] = [
  ["TROUPE_HOME", "the folder of the store, an absolute path"],
  ["TROUPE_TRUST", "1: run what stands in a directory without asking"],
  ["TROUPE_TRUST_AGENTS", "agents of yours that start without a question, with commas between them"],
  ["TROUPE_WORKFLOWS_PATH", "folders of workflows that are looked in first, with colons between them"],
  ["TROUPE_ENGINE", "the URL of an engine, in place of --engine"],
  ["TROUPE_PAGER, PAGER", "the program that shows what is longer than the terminal"],
  ["NO_COLOR, FORCE_COLOR", "no colours; colours also where there is no terminal"],
  ["TROUPE_DEBUG", "1: show where a fault of Troupe was"],
];

/** `version`: of the program. */
export function manPage(program: Described, version: string): string {
  const all = program.commands.flatMap(withBelow);
  const lines = [
    `.TH TROUPE 1 "" "Troupe ${text(version)}" "User Commands"`,
    ".SH NAME",
    `troupe \\- ${text(program.description)}`,
    ".SH SYNOPSIS",
    `.B troupe`,
    text("<command> [options] [arguments]"),
    ".SH OPTIONS",
    ...optionLines(program),
    ".SH COMMANDS",
    ...all.flatMap((command) => [
      `.SS ${text(`${command.name} ${command.usage}`.trim())}`,
      text(command.description),
      ...optionLines(command),
    ]),
    ".SH EXIT STATUS",
    text(
      "0 done, or parked until it is answered; 1 usage or input; 2 workflow; 3 execution; 4 system; 5 not trusted; 130 cancelled. A workflow that ends in a failure of its own exits with 3, or with the code that its author wrote.",
    ),
    ".SH ENVIRONMENT",
    ...ENVIRONMENT.flatMap(([name, does]) => [".TP", text(name), text(does)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** A command with those below it that can be given. */
export const withBelow = (command: Described): Described[] =>
  command.commands.length === 0
    ? [command]
    : [...(command.options.length > 0 ? [command] : []), ...command.commands.flatMap(withBelow)];

const optionLines = ({ options }: Described): string[] =>
  options.flatMap(({ flags, description }) => [".TP", text(flags), text(description)]);

/** On one line, without what the language of `man` takes for a request. */
function text(words: string): string {
  const line = words.replace(/\s+/g, " ").trim().replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(line) ? `\\&${line}` : line;
}
