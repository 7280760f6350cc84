/**
 * A prompt's blocks as one text to parse, with a mark where each reference to a file stands.
 *
 * I1. A reference is never read. It becomes `[name](uri)` where it stood, after the text was parsed: no character of
 *     it can be taken for a quote, a space or a command.
 * I2. What stands before a command stands behind it: some editors send what was attached before the words. A text among
 *     that is free text, whatever it holds.
 * I3. Texts that follow each other are words of their own.
 */
import type { Block } from "../exchange.ts";
import type { Fault } from "../model.ts";
import { visibleLine, writeUnseen } from "../visible.ts";
import { referenceTo } from "./attachment.ts";
import { type Argument, isCommand } from "./slash-command.ts";

export type PromptText = { text: string; links: string[] };
export type ReadPrompt = ({ ok: true } & PromptText) | { ok: false; fault: Fault };

/** U+FFFC, the "object replacement character". */
const MARK = "\uFFFC";
const NO_SPACE_AFTER = /[\s="'([{]$/;

/** What would end a Markdown link early, or hide something in it. */
const label = (name: string): string => visibleLine(name.replace(/[[\]\\]/g, ""));
const target = (uri: string): string =>
  writeUnseen(uri.toWellFormed(), encodeURIComponent).replace(/[\s()<>\\]/g, (each) =>
    each === "(" ? "%28" : each === ")" ? "%29" : encodeURIComponent(each),
  );

/** A name and no path, where a text begins: what is typed behind a mention begins with a space. */
const NAMED = /^\/[^\s/]+(?:\s|$)/;

/** The place of the text that is the command; 0 where there is none, or nothing before it. */
function commandAt(blocks: readonly Block[]): number {
  const texts = blocks.flatMap((block, at) =>
    block.type === "text" && block.text.trim() !== "" ? [{ at, text: block.text }] : [],
  );
  const [first, last] = [texts[0], texts.at(-1)];
  if (first !== undefined && isCommand(first.text)) return first.at;
  return last !== undefined && NAMED.test(last.text) ? last.at : 0;
}

/** The blocks with a command first (I2); in their order where they have none. */
export function commandFirst(blocks: readonly Block[]): readonly Block[] {
  const at = commandAt(blocks);
  return [...blocks.slice(at), ...blocks.slice(0, at)];
}

/** A text that was attached: nothing in it is read. */
type Attached = { type: "attached"; text: string };

function readingOrder(blocks: readonly Block[]): readonly (Block | Attached)[] {
  const at = commandAt(blocks);
  if (at === 0) return blocks;
  const before = blocks
    .slice(0, at)
    .map((block): Block | Attached =>
      block.type === "text" && block.text.trim() !== "" ? { type: "attached", text: block.text.trim() } : block,
    );
  // A word of its own, or the value of the input that the command ends with.
  return [...blocks.slice(at), { type: "text", text: endsOpen(blocks.at(-1)) ? "" : " " }, ...before];
}

const endsOpen = (block: Block | undefined): boolean => block?.type === "text" && block.text.endsWith("=");
const BEGINS_APART = /^(?:\s|$)/;
/** What parts a text from the one right before it (I3). */
const between = (before: string, text: string): string =>
  before === "" || NO_SPACE_AFTER.test(before) || BEGINS_APART.test(text) ? "" : "\n";

/** Texts and references in their order, a command first. Blocks of other kinds cannot be passed to a workflow. */
export function readPrompt(blocks: readonly Block[]): ReadPrompt {
  let text = "";
  const links: string[] = [];
  let last = "";
  for (const block of readingOrder(blocks)) {
    switch (block.type) {
      case "text":
        text += (last === "text" ? between(text, block.text) : "") + block.text.replaceAll(MARK, "\uFFFD");
        break;
      case "attached":
        links.push(block.text);
        text += text === "" || NO_SPACE_AFTER.test(text) ? MARK : ` ${MARK}`;
        break;
      case "resource_link":
        links.push(`[${label(block.name) || "file"}](${target(block.uri)})`);
        text += text === "" || NO_SPACE_AFTER.test(text) ? MARK : ` ${MARK}`;
        break;
      case "resource":
        links.push(embedded(block));
        text += text === "" || NO_SPACE_AFTER.test(text) ? MARK : ` ${MARK}`;
        break;
      case "image":
      case "audio":
        links.push(referenceTo(block));
        // Several in a row are one argument.
        text += text === "" || text.endsWith(MARK) || NO_SPACE_AFTER.test(text) ? MARK : ` ${MARK}`;
        break;
      case "diff":
      case "terminal":
      case "unknown":
        return { ok: false, fault: { code: "USER.PROMPT.UNSUPPORTED_BLOCK", message: unsupported(block) } };
      default:
        return block satisfies never;
    }
    last = block.type;
  }
  return { ok: true, text, links };
}

const LONGEST_FENCE = /`{3,}/g;

const nameIn = (uri: string): string => uri.slice(uri.lastIndexOf("/") + 1);

/** A text with its address above it, fenced so that nothing in it can end the fence. */
function embedded({ uri, text }: Extract<Block, { type: "resource" }>): string {
  const longest = Math.max(2, ...(text.match(LONGEST_FENCE) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `[${label(nameIn(uri)) || "file"}](${target(uri)})\n${fence}\n${text}\n${fence}\n`;
}

function unsupported(block: Block): string {
  const value = block.type === "unknown" ? block.value : block;
  const type = typeof value === "object" && value !== null && !Array.isArray(value) ? value["type"] : undefined;
  if (type === "resource") return bytesOfFile(value);
  const kind = typeof type === "string" ? ` of type "${type.slice(0, 40)}"` : "";
  return `a prompt may hold text, links to files, texts of files, images and audio: a block${kind} cannot be passed to a workflow`;
}

/** Of a file the text is taken; its bytes come as a block that is not known. */
function bytesOfFile(value: unknown): string {
  const { uri } = value as { uri?: unknown };
  const name = typeof uri === "string" ? label(nameIn(uri)).slice(0, 100) : "";
  return `the prompt holds the bytes of ${name === "" ? "a file" : `"${name}"`}, which no workflow takes: attach it as text, link it, or write its path`;
}

/** Puts references back, the first at the first mark. */
class Filler {
  readonly #links: readonly string[];
  #next = 0;

  constructor(links: readonly string[]) {
    this.#links = links;
  }

  fill(text: string): string {
    if (!text.includes(MARK)) return text;
    return text.replaceAll(MARK, () => {
      this.#next += 1;
      return this.#links[this.#next - 1] ?? "";
    });
  }
}

/** The text with its references written out. */
export const writtenOut = ({ text, links }: PromptText): string => new Filler(links).fill(text);

/** Arguments, in the order of their source, with their references written out. */
export function fillArguments(parsed: readonly Argument[], links: readonly string[]): Argument[] {
  const filler = new Filler(links);
  return parsed.map((each) =>
    "name" in each
      ? { name: filler.fill(each.name), value: filler.fill(each.value) }
      : { text: filler.fill(each.text) },
  );
}
