/**
 * Workflow files as parsed documents, each parsed once as long as it and the step templates it uses stay the same.
 *
 * I1. An entry holds for one stamp of the file and of every template that was looked for, those that were missing too.
 * I2. What is parsed is the text that was read, once: a file replaced later is another stamp.
 */
import { join } from "node:path";
import { readHead, type WorkflowHead } from "../../machines/workflow/head.ts";
import { type Parsed, parseWorkflow } from "../../machines/workflow/parse.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Found } from "./discover.ts";
import { realPathInside } from "./folder.ts";
import { readText, type Stamp, stampOf, type Text } from "./read-text.ts";

export type ParsedFile = Parsed & { source: string };
/** What a quick look gives: the head where that is sure, else all. */
export type Glance = { type: "head"; head: WorkflowHead } | { type: "whole"; parsed: ParsedFile };
type Entry = { stamp: Stamp; needs: readonly { path: string; stamp: Stamp | null }[]; parsed: ParsedFile };

const MAX_ENTRIES = 4_096;
const TEMPLATE_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;
const ENDINGS = [".yaml", ".yml"];

/** Reads the step templates that a document asks for, and notes every path that was looked at. */
class Templates {
  readonly needs: { path: string; stamp: Stamp | null }[] = [];
  readonly #folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  source(name: string): string | null {
    if (!TEMPLATE_NAME.test(name)) return null;
    for (const folder of this.#folders) {
      for (const ending of ENDINGS) {
        const text = this.#read(join(folder, `${name}${ending}`), folder);
        if (text !== null) return text;
      }
    }
    return null;
  }

  #read(path: string, folder: string): string | null {
    const stamp = stampOf(path);
    this.needs.push({ path, stamp });
    const real = stamp === null ? null : realPathInside(path, folder, () => undefined);
    if (real === null) return null;
    try {
      return readText(real).text;
    } catch {
      return null;
    }
  }
}

export class ParsedFiles {
  readonly #entries = new Map<string, Entry>();
  readonly #heads = new Map<string, { stamp: Stamp; head: WorkflowHead }>();
  readonly #servers: () => readonly string[];

  /** `servers`: names of MCP servers that every workflow may use; asked once for each file, and always the same. */
  constructor(servers: () => readonly string[] = () => []) {
    this.#servers = servers;
  }

  /** The document of a file, parsed now or before. Throws what `readText` throws, or a fault of the file's name. */
  read(found: Found): ParsedFile {
    if (found.fault !== null && stampOf(found.real) === null) {
      throw new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", found.fault.message, { file: found.file });
    }
    const known = this.#known(found);
    return known ?? this.#parse(found, readText(found.real));
  }

  /** The head of a file, without a look at its states where there is no need. Throws as `read` does. */
  glance(found: Found): Glance {
    const known = this.#known(found);
    if (known !== null) return { type: "whole", parsed: known };
    const key = keyOf(found);
    const glanced = this.#heads.get(key);
    if (glanced !== undefined && glanced.stamp === stampOf(found.real)) return { type: "head", head: glanced.head };
    const text = readText(found.real);
    const head = readHead(text.text);
    if (head === null) return { type: "whole", parsed: this.#parse(found, text) };
    keep(this.#heads, key, { stamp: text.stamp, head });
    return { type: "head", head };
  }

  #known(found: Found): ParsedFile | null {
    const known = this.#entries.get(keyOf(found));
    return known !== undefined && isFresh(known, found) ? known.parsed : null;
  }

  #parse(found: Found, { text, stamp }: Text): ParsedFile {
    const templates = new Templates(found.templates);
    const { file, awf } = found;
    const plugins = Object.fromEntries(this.#servers().map((name) => [name, null]));
    const result = parseWorkflow(text, { file, awf, templateSource: (name) => templates.source(name), plugins });
    const parsed = { ...result, source: text };
    keep(this.#entries, keyOf(found), { stamp, needs: templates.needs, parsed });
    return parsed;
  }
}

const keyOf = ({ awf, file }: Found): string => `${awf ? "awf" : "troupe"}:${file}`;

/** Sets an entry; the oldest one goes when there are too many. */
function keep<T>(entries: Map<string, T>, key: string, entry: T): void {
  entries.delete(key);
  const [oldest] = entries.size >= MAX_ENTRIES ? entries.keys() : [];
  if (oldest !== undefined) entries.delete(oldest);
  entries.set(key, entry);
}

const isFresh = (entry: Entry, found: Found): boolean =>
  stampOf(found.real) === entry.stamp && entry.needs.every(({ path, stamp }) => stampOf(path) === stamp);
