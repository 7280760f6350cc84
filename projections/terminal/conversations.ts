/** Kept conversations as lines: with which agent, about what, how long ago, and whether they can continue. H3. */
import { paint } from "./paint.ts";
import { safeLine } from "./safe.ts";
import { shorten, widthOf } from "./width.ts";
import { age, count } from "./words.ts";

export type ConversationView = {
  id: string;
  agent: { slug: string; is: "there" | "disabled" | "removed" };
  cwd: string;
  title: string;
  lastAt: number;
  prompts: number;
  turn: "none" | "open" | "ended";
  isOpen: boolean;
};
type TableOptions = { colours: boolean; columns: number | null; now: number };

export function conversationsTable(
  all: readonly ConversationView[],
  { colours, columns, now }: TableOptions,
): string[] {
  const { dim, bold } = paint(colours);
  const rows = all.map((one) => [one.id, safeLine(one.agent.slug), age(one.lastAt, now), stateOf(one)]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ""))));
  const line = (row: string[], title: string): string =>
    shorten(
      `${row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell))).join("  ")}  ${title}`.trimEnd(),
      columns,
    );
  return [
    ...rows.map((row, index) => line(row, bold(safeLine(all[index]?.title ?? "")))),
    dim("troupe chat --resume <id> continues one; troupe sessions show <id> shows it."),
  ];
}

/** What stands above what was said. */
export function conversationHead(one: ConversationView, { colours, now }: TableOptions): string[] {
  const { bold, dim, yellow } = paint(colours);
  const facts = [safeLine(one.agent.slug), safeLine(one.cwd), count(one.prompts, "prompt"), age(one.lastAt, now)];
  const gone = {
    there: [],
    disabled: [yellow("The agent is disabled: this can be viewed, and continues once it is enabled.")],
    removed: [yellow("The agent was removed: this can be viewed, but not continued.")],
  }[one.agent.is];
  return [bold(safeLine(one.title === "" ? one.id : one.title)), dim(facts.join(" · ")), ...gone];
}

function stateOf({ agent, isOpen, turn }: ConversationView): string {
  if (agent.is !== "there") return agent.is === "removed" ? "agent removed" : "agent disabled";
  if (isOpen) return "open";
  return turn === "open" ? "cut off" : "";
}
