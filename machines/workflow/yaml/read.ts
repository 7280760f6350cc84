/**
 * YAML text to values with positions, within limits.
 *
 * I1. Nothing is built for a file above the size limit, and no recursion goes deeper than the depth limit.
 * I2. Aliases are followed at most `aliases` times in all, and no more than `nodes` keys and items are built.
 * I3. No tags, no duplicate keys, one document. Where AWF reads past a second document it is passed over too.
 * I4. Time and memory grow with the size alone: the library's own search for duplicate keys and for anchors does not.
 * I5. A merge key (`<<`) gives what the map does not say itself; of several maps the earlier one wins.
 */
import {
  type Alias,
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type Scalar,
} from "yaml";
import type { Json } from "../../model.ts";
import type { Range } from "../finding.ts";
import { FILE_LIMITS, type FileLimits } from "../limits.ts";
import type { YamlFault } from "./fault.ts";
import type { Entry, Located, ScalarStyle } from "./located.ts";
import { QUOTE_BRACES, QUOTE_STAR, syntaxFaults } from "./syntax-fault.ts";

type Limits = Pick<FileLimits, "bytes" | "nodes" | "depth" | "aliases">;
/** As long as YAML lets a key on one line be. */
const LONGEST_KEY = 1_024;

export type YamlFile = { root: Located | null; faults: YamlFault[] };

const STYLES: { readonly [type: string]: ScalarStyle } = {
  PLAIN: "plain",
  QUOTE_SINGLE: "single",
  QUOTE_DOUBLE: "double",
  BLOCK_LITERAL: "literal",
  BLOCK_FOLDED: "folded",
};

class LimitError extends Error {
  readonly range: Range;
  constructor(message: string, range: Range) {
    super(message);
    this.range = range;
  }
}

const rangeOf = (node: { range?: readonly [number, number, number] | null | undefined }): Range => ({
  start: node.range?.[0] ?? 0,
  end: node.range?.[1] ?? 0,
});

/** Builds located values from a document that has no syntax errors. */
class Builder {
  readonly faults: YamlFault[] = [];
  readonly #source: string;
  readonly #limits: Limits;
  /** By name the last node that was met with it: what an alias after it stands for. */
  readonly #anchors = new Map<string, Node>();
  #aliases = 0;
  #nodes = 0;

  constructor(source: string, limits: Limits) {
    this.#source = source;
    this.#limits = limits;
  }

  build(node: Node | null, at: Range, depth: number): Located {
    if (depth > this.#limits.depth) throw new LimitError(`deeper than ${this.#limits.depth} levels`, at);
    this.#nodes += 1;
    if (this.#nodes > this.#limits.nodes) throw new LimitError(tooMany(this.#limits), at);
    if (node === null) return { value: null, range: at };
    if (isAlias(node)) return this.#follow(node, depth);
    if ("anchor" in node && typeof node.anchor === "string") this.#anchors.set(node.anchor, node);
    if (isScalar(node)) return this.#scalar(node);
    if (isMap(node)) return this.#map(node, depth);
    if (isSeq(node)) {
      const items = node.items.map((item) => this.build(item as Node | null, rangeOf(node), depth + 1));
      return { value: items.map((item) => item.value), range: rangeOf(node), items };
    }
    return { value: null, range: at };
  }

  #follow(alias: Alias, depth: number): Located {
    const range = rangeOf(alias);
    this.#aliases += 1;
    if (this.#aliases > this.#limits.aliases) {
      throw new LimitError(`more than ${this.#limits.aliases} uses of aliases`, range);
    }
    const node = this.#anchors.get(alias.source);
    if (node === undefined) this.#refuse(`no anchor &${alias.source} stands above`, range, QUOTE_STAR);
    return this.build(node ?? null, range, depth + 1);
  }

  #scalar(node: Scalar): Located {
    const range = rangeOf(node);
    const { value } = node;
    const text = typeof value === "string" ? value : (node.source ?? this.#source.slice(range.start, range.end));
    const finite = typeof value !== "number" || Number.isFinite(value);
    const json: Json =
      value === null || typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && finite)
        ? value
        : text;
    return { value: json, range, scalar: { style: STYLES[node.type ?? "PLAIN"] ?? "plain", text } };
  }

  #map(node: Node & { items: readonly { key: unknown; value: unknown }[] }, depth: number): Located {
    const range = rangeOf(node);
    const entries = new Map<string, Entry>();
    const value: { [name: string]: Json } = {};
    let merged: [string, Entry][] = [];
    for (const pair of node.items) {
      const key = pair.key as Node | null;
      const at = key === null ? range : rangeOf(key);
      const name = key !== null && isScalar(key) ? this.#scalar(key).scalar?.text : undefined;
      if (name === undefined) {
        const braces = this.#source.startsWith("{", at.start);
        this.#refuse("a key must be a plain name", at, braces ? QUOTE_BRACES : undefined);
        // It is meant as a text: as one it is checked on.
        if (braces && node.items.length === 1) return this.#asText(range);
      } else if (name === "__proto__") {
        this.#refuse('"__proto__" cannot be used as a name', at);
      } else if (name === "<<" && (key as Scalar).type === "PLAIN") {
        merged = merged.concat(this.#merged(pair.value as Node | null, at, depth));
      } else if (name.length > LONGEST_KEY) {
        this.#refuse(`a key has at most ${LONGEST_KEY} characters`, { start: at.start, end: at.start + 1 });
      } else if (entries.has(name)) {
        this.#refuse("this key is already used above", { start: at.start, end: at.start + 1 }, "each name once");
      } else {
        const located = this.build(pair.value as Node | null, at, depth + 1);
        entries.set(name, { key: at, value: located });
        value[name] = located.value;
      }
    }
    for (const [name, entry] of merged) {
      if (entries.has(name)) continue;
      entries.set(name, entry);
      value[name] = entry.value.value;
    }
    return { value, range, entries };
  }

  #asText(range: Range): Located {
    const text = this.#source.slice(range.start, range.end);
    return { value: text, range, scalar: { style: "plain", text } };
  }

  /** The fields of the map, or of the list of maps, that a merge key names; it is an alias as a rule. */
  #merged(node: Node | null, at: Range, depth: number): [string, Entry][] {
    const source = this.build(node, at, depth + 1);
    const maps = source.items ?? [source];
    if (maps.some((map) => map.entries === undefined)) {
      this.#refuse("a merge key (<<) names a map, or a list of maps", at, "an alias of a map, such as *base");
    }
    return maps.flatMap((map) => [...(map.entries ?? [])]);
  }

  #refuse(message: string, range: Range, expected?: string): void {
    this.faults.push({ code: "WORKFLOW.PARSE.YAML_SYNTAX", message, ...(expected ? { expected } : {}), range });
  }
}

const tooMany = ({ nodes }: Limits): string => `more than ${nodes} keys and items`;

const limit = (message: string, range: Range): YamlFile => ({
  root: null,
  faults: [{ code: "WORKFLOW.PARSE.LIMIT_EXCEEDED", message, range }],
});

/** UTF-8 length of a text, without making the bytes. */
function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Half of a surrogate pair counts two, so that a pair makes four.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** Of words, marks and blanks so many make up one key or item, as files are written. */
const LEXEMES_A_NODE = 6;

/**
 * The tokens of a file, or where it becomes too deep or too long: the composer recurses, so it must not see a deep
 * file, and it makes ten objects of each token.
 */
function tokensOf(source: string, limits: Limits): CST.Token[] | { message: string; at: number } {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(source)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    // The stack holds the collections that are open, and the document.
    if (parser.stack.length > limits.depth + 1) {
      return { message: `nested deeper than ${limits.depth} levels`, at: parser.offset };
    }
    lexemes += 1;
    if (lexemes > LEXEMES_A_NODE * limits.nodes) return { message: tooMany(limits), at: parser.offset };
  }
  tokens.push(...parser.end());
  return tokens;
}

/** One document is what a file may hold; the second is looked at to say so. */
function firstTwo<T>(documents: Iterable<T>): T[] {
  const found: T[] = [];
  for (const document of documents) if (found.push(document) === 2) break;
  return found;
}

/** Reads one YAML document. Never throws: what cannot be read is a fault. */
export function readYaml(source: string, limits: Limits = FILE_LIMITS): YamlFile {
  if (source.length > limits.bytes || byteLength(source) > limits.bytes) {
    return limit(`the file is larger than ${limits.bytes} bytes`, { start: 0, end: 0 });
  }
  const tokens = tokensOf(source, limits);
  if (!Array.isArray(tokens)) return limit(tokens.message, { start: tokens.at, end: tokens.at + 1 });
  // The library compares each key with each other: `uniqueKeys` is ours (I4).
  const composer = new Composer({ schema: "core", merge: false, uniqueKeys: false, prettyErrors: false });
  const documents = firstTwo(composer.compose(tokens, true, source.length));
  const [document, second] = documents;
  const faults = syntaxFaults(source, document === undefined ? [] : [...document.errors, ...document.warnings]);
  if (second !== undefined) {
    const range = { start: second.range[0], end: second.range[0] + 3 };
    const message = "a file holds one document: what follows is not read";
    faults.push({ code: "WORKFLOW.PARSE.YAML_SYNTAX", message, range, loads: true });
  }
  const fatal = document !== undefined && document.errors.length > 0;
  if (document === undefined || fatal) return { root: null, faults };
  try {
    const builder = new Builder(source, limits);
    const contents = document.contents as Node | null;
    return { root: builder.build(contents, { start: 0, end: 0 }, 1), faults: [...faults, ...builder.faults] };
  } catch (error) {
    if (error instanceof LimitError) return limit(error.message, error.range);
    throw error;
  }
}
