/**
 * Text to tree: the blocks of a template. Pipelines are read by `parse-pipe.ts`.
 *
 * I1. Every fault has a place in the source; faults of separate actions are all reported, up to `MAX_FAULTS`.
 * I2. A source over 1 MiB, or blocks nested deeper than 64, is a fault.
 * I3. An unknown function or variable is a fault here, a missing input or state is one when rendering.
 */
import {
  type BranchNode,
  MAX_DEPTH,
  MAX_SOURCE_BYTES,
  type Node,
  type Range,
  type Template,
  type TemplateFault,
} from "./ast.ts";
import { byteLength } from "./bytes.ts";
import { lexTemplate, type Piece, type TemplateToken } from "./lex.ts";
import { FaultError, PipeParser } from "./parse-pipe.ts";

export type { Template, TemplateFault } from "./ast.ts";

type OpenBranch = {
  node: BranchNode;
  /** The list that text and actions go to now. */
  list: Node[];
  variables: number;
  /** True for the hidden block of an `else if`: the same `end` closes it and the block around it. */
  chained: boolean;
  otherwise: boolean;
};

/** The most faults of one template that are reported. */
const MAX_FAULTS = 20;

const KEYWORDS = ["if", "with", "range", "else", "end", "break", "continue", "define", "template", "block"];

class TemplateParser {
  readonly nodes: Node[] = [];
  readonly faults: TemplateFault[] = [];
  private readonly open: OpenBranch[] = [];
  /** Blocks that are not supported: their ends are no second faults. */
  private refused = 0;
  private readonly variables: string[] = [""];
  private readonly functions: readonly string[];

  constructor(functions: readonly string[]) {
    this.functions = functions;
  }

  piece(piece: Piece): void {
    if (this.faults.length >= MAX_FAULTS) return;
    switch (piece.type) {
      case "text":
      case "comment":
        this.list().push(piece);
        return;
      case "fault":
        this.faults.push({ message: piece.message, range: piece.range });
        return;
      case "action":
        try {
          this.action(piece.tokens, piece.range);
        } catch (error) {
          if (!(error instanceof FaultError)) throw error;
          this.faults.push(error.fault);
          this.keepShape(piece.tokens, piece.range);
        }
        return;
      default:
        piece satisfies never;
    }
  }

  finish(): void {
    for (const { node, chained } of this.open) {
      if (this.faults.length >= MAX_FAULTS) return;
      if (!chained) this.faults.push({ message: `{{${node.type}}} has no {{end}}`, range: node.range });
    }
  }

  private list(): Node[] {
    return this.open.at(-1)?.list ?? this.nodes;
  }

  /** After a fault in the head of a block the block still opens, so that its `end` is no second fault. */
  private keepShape(tokens: readonly TemplateToken[], range: Range): void {
    const word = tokens[0]?.text;
    if (tokens[0]?.type !== "name" || (word !== "if" && word !== "with" && word !== "range")) return;
    if (this.open.length >= MAX_DEPTH) return;
    const pipe = { binding: { type: "none" as const, names: [] }, commands: [], range };
    this.start({ type: word, pipe, body: [], otherwise: null, range }, this.variables.length, false);
  }

  private action(tokens: readonly TemplateToken[], range: Range): void {
    const [first, second] = tokens;
    const word = first?.type === "name" && KEYWORDS.includes(first.text) ? first.text : "";
    const parser = (at: number) => new PipeParser(tokens, at, this.variables, this.functions);
    switch (word) {
      case "if":
      case "with":
      case "range": {
        const variables = this.variables.length;
        const pipe = parser(1).whole(word === "range" ? 2 : 1);
        this.start({ type: word, pipe, body: [], otherwise: null, range }, variables, false);
        return;
      }
      case "else":
        this.otherwise(tokens, range);
        return;
      case "end":
        this.bare(second, word);
        this.end(range);
        return;
      case "break":
      case "continue":
        this.bare(second, word);
        if (!this.open.some(({ node, otherwise }) => node.type === "range" && !otherwise)) {
          throw new FaultError(`{{${word}}} outside of {{range}}`, range);
        }
        this.list().push({ type: word, range });
        return;
      case "define":
      case "template":
      case "block":
        if (word !== "template") this.refused += 1;
        throw new FaultError(`{{${word}}} is not supported: write the text where it is used`, range);
      default:
        this.list().push({ type: "action", pipe: parser(0).whole(1), range });
    }
  }

  private bare(next: TemplateToken | undefined, word: string): void {
    if (next !== undefined && next.type !== "end") throw new FaultError(`nothing may follow "${word}"`, next.range);
  }

  private start(node: BranchNode, variables: number, chained: boolean): void {
    if (this.open.length >= MAX_DEPTH) throw new FaultError(`blocks are nested deeper than ${MAX_DEPTH}`, node.range);
    this.list().push(node);
    this.open.push({ node, list: node.body, variables, chained, otherwise: false });
  }

  private otherwise(tokens: readonly TemplateToken[], range: Range): void {
    const block = this.open.at(-1);
    if (block === undefined) throw new FaultError("{{else}} without {{if}}, {{with}} or {{range}}", range);
    if (block.otherwise) throw new FaultError("a block has only one {{else}}, and it comes last", range);
    const next = tokens[1];
    block.otherwise = true;
    block.list = [];
    block.node.otherwise = block.list;
    if (next === undefined || next.type === "end") {
      this.variables.length = block.variables;
      return;
    }
    if (next.text !== block.node.type || block.node.type === "range") {
      throw new FaultError(`{{else}} or {{else ${block.node.type === "with" ? "with" : "if"} …}} expected`, next.range);
    }
    // The variables of the first head stay visible in what follows, as in Go.
    const pipe = new PipeParser(tokens, 2, this.variables, this.functions).whole(1);
    this.start({ type: block.node.type, pipe, body: [], otherwise: null, range }, block.variables, true);
  }

  private end(range: Range): void {
    let block = this.open.pop();
    if (block === undefined && this.refused > 0) {
      this.refused -= 1;
      return;
    }
    if (block === undefined) throw new FaultError("{{end}} without {{if}}, {{with}} or {{range}}", range);
    for (;;) {
      block.node.range = { start: block.node.range.start, end: range.end };
      this.variables.length = block.variables;
      if (!block.chained) return;
      const outer = this.open.pop();
      if (outer === undefined) return;
      block = outer;
    }
  }
}

/**
 * Parses a template. `extra` names functions beyond the built-in ones that the caller will inject.
 */
export function parseTemplate(
  source: string,
  extra: readonly string[] = [],
): { ok: true; template: Template } | { ok: false; faults: TemplateFault[] } {
  const range = { start: 0, end: source.length };
  if (byteLength(source) > MAX_SOURCE_BYTES) {
    return { ok: false, faults: [{ message: `the template is longer than ${MAX_SOURCE_BYTES} bytes`, range }] };
  }
  const parser = new TemplateParser(extra);
  for (const piece of lexTemplate(source)) parser.piece(piece);
  parser.finish();
  if (parser.faults.length > 0) return { ok: false, faults: parser.faults };
  return { ok: true, template: { type: "template", nodes: parser.nodes, range } };
}
