/**
 * Workflow files as parsed documents, each parsed once as long as it and the step templates it uses stay the same.
 *
 * I1. An entry holds for one stamp of the file and of every template that was looked for, those that were missing too.
 * I2. What is parsed is the text that was read, once: a file replaced later is another stamp.
 * I3. What needs no other file may have been parsed by a process before this one (`kept-parses.ts`).
 * I4. What was parsed while its budget ended is not kept: it may lack its templates, or be larger than a trial takes.
 */
import { dirname, isAbsolute, join } from "node:path";
import { readHead, type WorkflowHead } from "../../machines/workflow/head.ts";
import { FILE_LIMITS, type FileLimits } from "../../machines/workflow/limits.ts";
import { type Parsed, parseWorkflow } from "../../machines/workflow/parse.ts";
import type { Budget } from "../base/budget.ts";
import { readText, type Stamp, stampOf, type Text } from "../base/read-text.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { FoundWorkflow } from "./discover.ts";
import { realPathInside } from "./folder.ts";
import { Kept } from "./kept.ts";
import type { KeptParses } from "./kept-parses.ts";
import type { Installed } from "./search-paths.ts";

export type ParsedFile = Parsed & { source: string };
/** What a quick look gives: the head where that is sure, else all. */
export type Glance = { type: "head"; head: WorkflowHead } | { type: "whole"; parsed: ParsedFile };
type CachedFile = { stamp: Stamp; needs: readonly { path: string; stamp: Stamp | null }[]; parsed: ParsedFile };

/** An entry weighs its text and this much more, in characters: its stamps, and a document of its own. */
const ENTRY = 512;
export type FilesOptions = {
  /** Names of MCP servers that every workflow may use; asked once for each file, and always the same. */
  servers?: () => readonly string[];
  installed?: Installed;
  /** Names of the agents that are configured; null where that is not known. The same holds for them. */
  agents?: () => readonly string[] | null;
  /** Asked once for each file. */
  limits?: () => FileLimits;
  /** The most characters of text whose documents are kept; a document takes some ten times its text. */
  cacheChars?: () => number;
  /** What other processes parsed; without it each process parses anew. */
  keptParses?: KeptParses;
};
/** A trial ends where templates or aliases make much of little. */
const TRIAL_NODES = 6_000;
const CACHE_CHARS = 4 * 1024 * 1024;

const TEMPLATE_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;
const ENDINGS = [".yaml", ".yml"];

/** Reads the step templates and schemas that a document asks for, and notes every path that was looked at. */
class Templates {
  readonly needs: { path: string; stamp: Stamp | null }[] = [];
  readonly #folders: readonly string[];
  readonly #budget: Budget;

  constructor(folders: readonly string[], budget: Budget) {
    this.#folders = folders;
    this.#budget = budget;
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

  /** The text of a file in the folder of `file` or below it. */
  beside(file: string, path: string): string | null {
    const folder = dirname(file);
    return isAbsolute(path) ? null : this.#read(join(folder, path), folder);
  }

  #read(path: string, folder: string): string | null {
    const stamp = stampOf(path);
    this.needs.push({ path, stamp });
    const real = stamp === null ? null : realPathInside(path, folder, () => undefined);
    if (real === null) return null;
    try {
      return readText(real, { budget: this.#budget }).text;
    } catch {
      return null;
    }
  }
}

export class ParsedFiles {
  readonly #entries: Kept<CachedFile>;
  readonly #heads: Kept<{ stamp: Stamp; head: WorkflowHead }>;
  readonly #servers: () => readonly string[];
  readonly #installed: Installed | undefined;
  readonly #agents: () => readonly string[] | null;
  readonly #limits: () => FileLimits;
  readonly #keptParses: KeptParses | undefined;

  constructor({
    servers = () => [],
    installed,
    agents = () => null,
    limits = () => FILE_LIMITS,
    cacheChars = () => CACHE_CHARS,
    keptParses,
  }: FilesOptions = {}) {
    this.#keptParses = keptParses;
    this.#installed = installed;
    this.#agents = agents;
    this.#servers = servers;
    this.#limits = limits;
    this.#entries = new Kept(cacheChars);
    this.#heads = new Kept(cacheChars);
  }

  /** To be called once the files at hand are read: writes down what is new for other processes. */
  close(): void {
    this.#keptParses?.close();
  }

  /** Whether a file would be parsed again. */
  isKnown(found: FoundWorkflow): boolean {
    return this.#known(found) !== null;
  }

  /** The document of a file, parsed now or before. Throws what `readText` throws, or a fault of the file's name. */
  read(found: FoundWorkflow, budget: Budget): ParsedFile {
    if (found.fault !== null && stampOf(found.real) === null) {
      throw new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", found.fault.message, { file: found.file });
    }
    const known = this.#known(found);
    return known ?? this.#parse(found, this.#text(found, budget), budget);
  }

  /** The head of a file, without a look at its states where there is no need. Throws as `read` does. */
  glance(found: FoundWorkflow, budget: Budget): Glance {
    const known = this.#known(found);
    if (known !== null) return { type: "whole", parsed: known };
    const key = keyOf(found);
    const glanced = this.#heads.get(key);
    if (glanced !== undefined && glanced.stamp === stampOf(found.real)) return { type: "head", head: glanced.head };
    const text = this.#text(found, budget);
    const head = readHead(text.text);
    if (head === null) return { type: "whole", parsed: this.#parse(found, text, budget) };
    this.#heads.set(key, { stamp: text.stamp, head }, ENTRY + JSON.stringify(head).length);
    return { type: "head", head };
  }

  /** What a file says that its workflow is called. Throws as `read` does. */
  nameIn(found: FoundWorkflow, budget: Budget): string | null {
    const glance = this.glance(found, budget);
    return glance.type === "head" ? glance.head.name : ((glance.parsed.workflow ?? glance.parsed.draft)?.name ?? null);
  }

  #known(found: FoundWorkflow): ParsedFile | null {
    const known = this.#entries.get(keyOf(found));
    return known !== undefined && isFresh(known, found) ? known.parsed : null;
  }

  #text(found: FoundWorkflow, budget: Budget): Text {
    return readText(found.real, { limit: this.#limits().bytes, budget });
  }

  #parse(found: FoundWorkflow, { text, stamp }: Text, budget: Budget): ParsedFile {
    const templates = new Templates(found.templates, budget);
    const { file, awf } = found;
    const [servers, agents] = [this.#servers(), this.#agents()];
    const origin = { file, awf, known: JSON.stringify([servers, agents, this.#limits()]), text };
    const kept = this.#keptParses?.of(origin);
    if (kept) {
      const parsed = { ...kept, source: text };
      this.#entries.set(keyOf(found), { stamp, needs: [], parsed }, text.length + ENTRY);
      return parsed;
    }
    const known = { plugins: Object.fromEntries(servers.map((name) => [name, null])), ...this.#installed, agents };
    const templateSource = (name: string): string | null => templates.source(name);
    const schemaSource = (path: string): string | null => templates.beside(file, path);
    const most = this.#limits();
    const limits = budget.isTrial ? { ...most, nodes: Math.min(most.nodes, TRIAL_NODES) } : most;
    const result = parseWorkflow(text, { file, awf, templateSource, schemaSource, limits, ...known });
    const isCut = result.findings.some(({ code }) => code === "WORKFLOW.PARSE.LIMIT_EXCEEDED");
    if (budget.isTrial && isCut) budget.foresee(Number.POSITIVE_INFINITY);
    const parsed = { ...result, source: text };
    const { needs } = templates;
    if (!budget.isSpent) {
      if (needs.length === 0 && !isCut) this.#keptParses?.keep(origin, result);
      this.#entries.set(keyOf(found), { stamp, needs, parsed }, text.length + ENTRY * (1 + needs.length));
    }
    return parsed;
  }
}

const keyOf = ({ awf, file }: FoundWorkflow): string => `${awf ? "awf" : "troupe"}:${file}`;

const isFresh = (entry: CachedFile, found: FoundWorkflow): boolean =>
  stampOf(found.real) === entry.stamp && entry.needs.every(({ path, stamp }) => stampOf(path) === stamp);
