/** Every command with its arguments and options, as a page of the docs. */
import { type Described, withBelow } from "./man.ts";

/** `version`: of the program. */
export function commandsPage(program: Described, version: string): string {
  const sections = program.commands
    .flatMap(withBelow)
    .map((command) =>
      [
        `## \`${`${command.name} ${command.usage}`.trim()}\``,
        cell(sentence(command.description)),
        options(command),
      ].filter((part) => part !== ""),
    );
  const head = `Made from the commands of Troupe ${version} by \`troupe man --markdown\`. What they mean together stands on [the command line](../commands.md); \`troupe <command> --help\` says the same in the terminal.`;
  return `${["# The commands", head, ...sections.flat()].join("\n\n")}\n`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const options = ({ options: all }: Described): string =>
  all.length === 0
    ? ""
    : [
        "| option | |",
        "|---|---|",
        ...all.map(({ flags, description }) => `| \`${flags.replaceAll("|", "\\|")}\` | ${cell(description)} |`),
      ].join("\n");

/** On one line of a table; what looks like a tag is text. */
const cell = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .split("`")
    .map((part, at) =>
      at % 2 === 0 ? part.replaceAll("<", "&lt;").replaceAll("|", "\\|") : part.replaceAll("|", "\\|"),
    )
    .join("`");
