/**
 * What a model calls the tools of MCP servers.
 *
 * I1. No two tools have one name, and a name does not depend on the order in which tools come.
 */
import { createHash } from "node:crypto";

const LONGEST = 64;
const MARK = 8;

type Titled = { name: string; title: string };

/** Letters, digits, `_` and `-`, and no more of them than models' servers take. */
const plainOf = (name: string, longest = LONGEST): string => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(-longest);

/** What of its true name is lost stands for itself at the end. */
const markedOf = ({ name, title }: Titled): string =>
  `${plainOf(name, LONGEST - MARK - 1)}_${createHash("sha256").update(title).digest("hex").slice(0, MARK)}`;

/** The tools under names that a model can call; of several with one name and title the first alone. */
export function namedApart<Tool extends Titled>(tools: readonly Tool[]): Tool[] {
  const meant = new Map<string, Set<string>>();
  for (const { name, title } of tools) {
    const plain = plainOf(name);
    meant.set(plain, (meant.get(plain) ?? new Set<string>()).add(title));
  }
  const named = new Map<string, Tool>();
  for (const tool of tools) {
    const plain = plainOf(tool.name);
    const name = (meant.get(plain)?.size ?? 0) > 1 ? markedOf(tool) : plain;
    if (!named.has(name)) named.set(name, { ...tool, name });
  }
  return [...named.values()];
}
