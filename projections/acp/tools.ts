/** An agent's tool calls as cards: rows of the log, already in the protocol's words, as far as there is room. */
import type { RowOf, TextRow, ToolFields } from "../../machines/exchange.ts";
import { visibleLine } from "../../machines/visible.ts";
import type { Card, CardFields, Cards } from "./cards.ts";
import { contentInRoom, valueInRoom } from "./room.ts";
import { blockId } from "./text-offsets.ts";
import { cardContent, type View } from "./view.ts";

type ToolRow = RowOf<"tool.call" | "tool.update" | "tool.result"> & { payload: ToolFields };

export class Tools {
  readonly #cards: Cards;
  readonly #terminals: string | null;
  /** `terminals`: the mark of the reader's own. */
  constructor(cards: Cards, terminals: string | null) {
    this.#cards = cards;
    this.#terminals = terminals;
  }

  show(row: ToolRow, views: View[]): void {
    const { run = "", step = "", payload } = row;
    const id = blockId(run, payload.call);
    const fields = fieldsOf(this.#seen(payload));
    const open = this.#cards.get(id);
    const { status } = payload;
    if (row.type === "tool.result" || status === "completed" || status === "failed") {
      const card = open ?? this.#open(run, step, payload, {}, views);
      const end = status === "failed" ? ({ status } as const) : ({ status: "completed", exitCode: 0 } as const);
      return this.#cards.close(card, end, views, fields);
    }
    if (open !== undefined && row.type === "tool.update") return this.#cards.update(open, fields, views);
    this.#open(run, step, payload, fields, views);
  }

  /** Without the terminals of others, and of connections that are gone. */
  #seen({ content, ...fields }: ToolFields): ToolFields {
    if (content === undefined) return fields;
    const seen = content.filter((block) => block.type !== "terminal" || block.of === this.#terminals);
    return seen.length === 0 && content.length > 0 ? fields : { ...fields, content: seen };
  }

  /** The card of the call whose output this row holds; undefined once the call has ended: its card does not begin again. */
  output({ run = "" }: TextRow, call: string): Card | undefined {
    return this.#cards.get(blockId(run, call));
  }

  #open(run: string, step: string, { call, title, kind }: ToolFields, fields: CardFields, views: View[]): Card {
    const head = {
      id: blockId(run, call),
      run,
      step,
      title: visibleLine(title ?? call),
      kind: kind ?? "other",
      fenced: true,
    };
    return this.#cards.open(head, fields, views);
  }
}

function fieldsOf({ title, kind, status, input, output, content, locations }: ToolFields): CardFields {
  return {
    ...(title === undefined ? {} : { title: visibleLine(title) }),
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { status }),
    ...(input === undefined ? {} : { rawInput: valueInRoom(input) }),
    ...(output === undefined ? {} : { rawOutput: valueInRoom(output) }),
    ...(content === undefined ? {} : { content: contentInRoom(content).map(cardContent) }),
    ...(locations === undefined ? {} : { locations }),
  };
}
