/** What a session is called in lists: the first words that were sent to it. */
import type { Block } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import { visibleLine } from "../../../machines/visible.ts";
import type { Host } from "../../host/host.ts";
import type { Mask } from "../../masking/masking.ts";
import type { Runtime } from "../runtime.ts";

export const MAX_TITLE_CHARS = 80;
/** Sessions of a directory, those used last, from which a new title must differ. */
export const TOLD_APART = 200;

/**
 * One line of at most MAX_TITLE_CHARS characters, or "" where a prompt has no words. Secrets are hidden before it is
 * cut: the half of one would not be found any more.
 */
export function titleOf(blocks: readonly Block[], mask: Mask): string {
  const words = blocks.flatMap((block) =>
    block.type === "text" ? [block.text] : block.type === "resource_link" ? [block.name] : [],
  );
  const line = [...visibleLine(mask.text(words.join(" ")))];
  return line.length <= MAX_TITLE_CHARS ? line.join("") : `${line.slice(0, MAX_TITLE_CHARS - 1).join("")}…`;
}

type Sessions = { sessions: Pick<Host["sessions"], "titlesBeside"> };
const NUMBER = / \(([0-9]{1,6})\)$/;

/** A title that another session of the directory has gets a number, so that runs of one workflow can be told apart. */
export async function distinctTitle(title: string, session: Key, { sessions }: Sessions): Promise<string> {
  if (title === "") return "";
  const numbers = (await sessions.titlesBeside(session, TOLD_APART)).flatMap((other) => {
    if (other === null) return [];
    if (other === title) return [1];
    const [suffix, number] = NUMBER.exec(other) ?? [];
    return suffix !== undefined && other === numbered(title, Number(number)) ? [Number(number)] : [];
  });
  return numbers.length === 0 ? title : numbered(title, Math.max(...numbers) + 1);
}

/** What a session is called that has no name yet, by a prompt; "" where it has one. */
export const titleFor = async (
  { host, mask }: Pick<Runtime, "host" | "mask">,
  session: Key,
  blocks: readonly Block[],
): Promise<string> =>
  (host.sessions.find(session)?.title ?? null) === null
    ? await distinctTitle(titleOf(blocks, mask), session, host)
    : "";

/** As long as a title may be. */
function numbered(title: string, number: number): string {
  const suffix = ` (${number})`;
  const characters = [...title];
  const room = MAX_TITLE_CHARS - suffix.length;
  return (characters.length <= room ? title : `${characters.slice(0, room - 1).join("")}…`) + suffix;
}
