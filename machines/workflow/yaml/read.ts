/**
 * YAML text to values with positions, within limits.
 *
 * I1. Nothing is built for a file above the size limit, and no recursion goes deeper than the depth limit.
 * I2. Aliases are followed at most `maxAliases` times in all, so that a bomb stays small.
 * I3. No tags, no merge keys, no duplicate keys, one document.
 */
import {
  type Alias,
  Composer,
  type CST,
  type Document,
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
import type { YamlFault } from "./fault.ts";
import type { Entry, Located, ScalarStyle } from "./located.ts";
import { QUOTE_BRACES, syntaxFaults } from "./syntax-fault.ts";

export const YAML_LIMITS = { bytes: 1024 * 1024, depth: 64, maxAliases: 50 } as const;

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
  readonly #document: Document;
  #aliases = 0;

  constructor(source: string, document: Document) {
    this.#source = source;
    this.#document = document;
  }

  build(node: Node | null, at: Range, depth: number): Located {
    if (depth > YAML_LIMITS.depth) throw new LimitError(`deeper than ${YAML_LIMITS.depth} levels`, at);
    if (node === null) return { value: null, range: at };
    if (isAlias(node)) return this.#follow(node, depth);
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
    if (this.#aliases > YAML_LIMITS.maxAliases) {
      throw new LimitError(`more than ${YAML_LIMITS.maxAliases} uses of aliases`, range);
    }
    return this.build(alias.resolve(this.#document) ?? null, range, depth + 1);
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
    for (const pair of node.items) {
      const key = pair.key as Node | null;
      const at = key === null ? range : rangeOf(key);
      const name = key !== null && isScalar(key) ? this.#scalar(key).scalar?.text : undefined;
      if (name === undefined) {
        const braces = this.#source.startsWith("{", at.start);
        this.#refuse("a key must be a plain name", at, braces ? QUOTE_BRACES : undefined);
      } else if (name === "__proto__") {
        this.#refuse('"__proto__" cannot be used as a name', at);
      } else if (name === "<<") {
        this.#refuse("merge keys (<<) are not supported: write the fields out", at);
      } else if (!entries.has(name)) {
        const located = this.build(pair.value as Node | null, at, depth + 1);
        entries.set(name, { key: at, value: located });
        value[name] = located.value;
      }
    }
    return { value, range, entries };
  }

  #refuse(message: string, range: Range, expected?: string): void {
    this.faults.push({ code: "WORKFLOW.PARSE.YAML_SYNTAX", message, ...(expected ? { expected } : {}), range });
  }
}

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

/** The tokens of a file, or where it becomes too deep: the composer recurses, so it must not see a deep file. */
function tokensOf(source: string): CST.Token[] | { deep: number } {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(source)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    // The stack holds the collections that are open, and the document.
    if (parser.stack.length > YAML_LIMITS.depth + 1) return { deep: parser.offset };
  }
  tokens.push(...parser.end());
  return tokens;
}

/** Reads one YAML document. Never throws: what cannot be read is a fault. */
export function readYaml(source: string): YamlFile {
  if (source.length > YAML_LIMITS.bytes || byteLength(source) > YAML_LIMITS.bytes) {
    return limit(`the file is larger than ${YAML_LIMITS.bytes} bytes`, { start: 0, end: 0 });
  }
  const tokens = tokensOf(source);
  if ("deep" in tokens) {
    return limit(`nested deeper than ${YAML_LIMITS.depth} levels`, { start: tokens.deep, end: tokens.deep + 1 });
  }
  const composer = new Composer({ schema: "core", merge: false, uniqueKeys: true, prettyErrors: false });
  const documents = [...composer.compose(tokens, true, source.length)];
  const [document, second] = documents;
  const faults = syntaxFaults(
    source,
    documents.flatMap((each) => [...each.errors, ...each.warnings]),
  );
  if (second !== undefined) {
    const range = { start: second.range[0], end: second.range[0] + 3 };
    faults.push({ code: "WORKFLOW.PARSE.YAML_SYNTAX", message: "a file holds one document", range });
  }
  const fatal = documents.some((each) => each.errors.some((error) => error.code !== "DUPLICATE_KEY"));
  if (document === undefined || fatal) return { root: null, faults };
  try {
    const builder = new Builder(source, document as Document);
    const contents = document.contents as Node | null;
    return { root: builder.build(contents, { start: 0, end: 0 }, 1), faults: [...faults, ...builder.faults] };
  } catch (error) {
    if (error instanceof LimitError) return limit(error.message, error.range);
    throw error;
  }
}
