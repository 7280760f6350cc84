/** What a session is called in lists: the first words that were sent to it. */
import type { Block } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import { commandFirst } from "../../../machines/prompt/prompt-text.ts";
import { visibleLine } from "../../../machines/visible.ts";
import type { Host } from "../../host/host.ts";
import type { Mask } from "../../masking/masking.ts";
import type { Runtime } from "../runtime.ts";
import { titlesGiven } from "./titles-given.ts";

export const MAX_TITLE_CHARS = 80;
/** Sessions of a directory, those used last, from which a new title must differ. */
export const TOLD_APART = 200;

/**
 * One line of at most MAX_TITLE_CHARS characters, or "" where a prompt has no words. Secrets are hidden before it is
 * cut: the half of one would not be found any more.
 */
export function titleOf(blocks: readonly Block[], mask: Mask): string {
  const words = commandFirst(blocks).flatMap((block) =>
    block.type === "text" ? [block.text] : block.type === "resource_link" ? [block.name] : [],
  );
  const line = [...visibleLine(mask.text(words.join(" ")))];
  return line.length <= MAX_TITLE_CHARS ? line.join("") : `${line.slice(0, MAX_TITLE_CHARS - 1).join("")}…`;
}

type Sessions = { sessions: Pick<Host["sessions"], "titlesBeside"> };
const NUMBER = /^ \([0-9]{1,6}\)$/;
const NUMBER_AT_END = / \([0-9]{1,6}\)$/;
/** As many characters of a title stand before every number. */
const KEPT_CHARS = MAX_TITLE_CHARS - " (999999)".length - "…".length;

/** A title that another session of the directory has gets a number, so that runs of one workflow can be told apart. */
export async function distinctTitle(title: string, session: Key, { sessions }: Sessions): Promise<string> {
  return title === "" ? "" : distinctFrom(title, await sessions.titlesBeside(session, TOLD_APART));
}

function distinctFrom(title: string, beside: readonly (string | null)[]): string {
  const begin = [...title].slice(0, KEPT_CHARS).join("");
  const others = beside.filter((other) => other?.startsWith(begin));
  const last = Math.max(0, ...others.map((other) => (other === title ? 1 : numberIn(other ?? "", title))));
  return last === 0 ? title : numbered(title, ` (${last + 1})`);
}

/** What a fork of a session is called: as that one, with the next number. */
export const titleOfFork = (title: string, session: Key, host: Sessions): Promise<string> =>
  distinctTitle(title.replace(NUMBER_AT_END, ""), session, host);

/** The number of one that is a title with a number; 0 where it is not. */
function numberIn(other: string, title: string): number {
  const suffix = other.slice(Math.max(0, other.lastIndexOf(" (")));
  return NUMBER.test(suffix) && other === numbered(title, suffix) ? Number(suffix.slice(2, -1)) : 0;
}

/**
 * What a session is called that has no name yet, by a prompt; "" where it has one. No other session of this process gets
 * it until `titleSettled`.
 */
export async function titleFor(
  { host, mask }: Pick<Runtime, "host" | "mask">,
  { session, cwd }: { session: Key; cwd: string },
  blocks: readonly Block[],
): Promise<string> {
  if ((host.sessions.find(session)?.title ?? null) !== null) return "";
  const title = titleOf(blocks, mask);
  if (title === "") return "";
  const read = () => host.sessions.titlesBeside(session, TOLD_APART);
  return await titlesGiven(host.sessions).choose({ session, cwd }, read, (others) => distinctFrom(title, others));
}
/** It is written, or never will be. */
export const titleSettled = ({ host }: Pick<Runtime, "host">, session: Key): void =>
  titlesGiven(host.sessions).settled(session);

/** As long as a title may be. */
function numbered(title: string, suffix: string): string {
  const room = MAX_TITLE_CHARS - suffix.length;
  if (title.length <= room) return title + suffix;
  const characters = [...title];
  return (characters.length <= room ? title : `${characters.slice(0, room - 1).join("")}…`) + suffix;
}
