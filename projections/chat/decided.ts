/** What a person decides in a conversation: questions with their diffs, and edits. H33, H36, H46. */
import type { ChatEdit, ChatEvent, ChatQuestion } from "../../machines/conversation/event.ts";
import { inputText } from "../shared/input-text.ts";
import { editLines } from "../terminal/edit.ts";
import { paint } from "../terminal/paint.ts";
import { safeConsent, safeLine } from "../terminal/safe.ts";

type Coloured = { colours: boolean };

/** The question, whole; its options are numbered where it is answered. */
export function questionLines(
  { title, message, input, locations, diffs }: ChatQuestion,
  { colours }: Coloured,
): string[] {
  const { bold, dim, yellow } = paint(colours);
  const margin = (text: string): string[] =>
    text === ""
      ? []
      : safeConsent(text)
          .split("\n")
          .map((line) => `  ${line}`);
  const named = new Set(diffs.map(({ path }) => path));
  return [
    `${yellow("?")} ${bold(safeConsent(title).replaceAll("\n", "\\n"))}`,
    ...margin(message),
    ...(input === undefined ? [] : margin(inputText(input)).map(dim)),
    ...locations
      .filter(({ path }) => !named.has(path))
      .flatMap(({ path, line }) => margin(line === undefined ? path : `${path}:${line}`)),
    ...diffs.flatMap((diff) => editLines(diff, { colours }).map((line) => `  ${line}`)),
  ];
}

/** The options, as they are chosen from; `chosen` is the one that a key would take. */
export function optionLines({ options }: ChatQuestion, chosen: number, { colours }: Coloured): string[] {
  const { bold, dim, yellow } = paint(colours);
  return options.map(({ name, kind }, index) => {
    const mark = index === chosen ? yellow("❯") : " ";
    const words = `${index + 1}) ${safeConsent(name)}`;
    return `${mark} ${index === chosen ? bold(words) : words} ${dim(`(${meaning(kind)})`)}`;
  });
}
/** What an option does is said by its kind: its name is the agent's own words. */
function meaning(kind: string): string {
  const [does, often] = kind.split("_");
  return `${does === "allow" ? "allow" : "refuse"}, ${often === "once" ? "this time" : "from now on"}`;
}

export function answerLine(
  { question, option }: Extract<ChatEvent, { type: "answered" }>,
  { colours }: Coloured,
): string {
  const { dim, green, red } = paint(colours);
  const chosen = question.options.find(({ id }) => id === option);
  if (chosen === undefined) return dim("  ○ not answered: no");
  return `  ${chosen.kind.startsWith("allow") ? green("●") : red("●")} ${safeConsent(chosen.name)}`;
}

export function editedLine(edit: ChatEdit, { colours }: Coloured): string {
  const { bold, dim, green, red, yellow } = paint(colours);
  const name = safeLine(edit.path);
  switch (edit.fate) {
    case "open": {
      const lines = editLines(edit, { colours: false });
      const many = (sign: string): number => lines.filter((line) => line.startsWith(`${sign} `)).length;
      const made = edit.oldText === null ? dim(" (new)") : "";
      return `${yellow("±")} ${bold(name)}${made} ${green(`+${many("+")}`)} ${red(`-${many("-")}`)} ${dim(":edits shows it, :accept or :reject decides")}`;
    }
    case "accepted":
      return `${green("✓")} ${name} accepted`;
    case "rejected":
      return `${red("↶")} ${name} rejected: it is as it was before`;
    case "changed":
      return `${yellow("!")} ${name} is no longer as the agent left it: nothing was taken back`;
    case "unknown":
      return `${yellow("±")} ${bold(name)} ${dim("was changed; how it was before cannot be told")}`;
    default:
      return edit.fate satisfies never;
  }
}
