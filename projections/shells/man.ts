/** The manual page: every command with its arguments and options, in the language of `man`. */

export type Described = {
  /** From the program's name on. */
  name: string;
  usage: string;
  description: string;
  options: readonly { flags: string; description: string }[];
  commands: readonly Described[];
};

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
    ".TP",
    text("TROUPE_HOME"),
    text("the folder of the store, an absolute path"),
    ".TP",
    text("TROUPE_TRUST"),
    text("1: run what stands in a directory without asking"),
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
