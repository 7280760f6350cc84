/**
 * The calls of one answer, put together from their pieces.
 *
 * I1. A piece belongs to the call that it names by index or id. Where it names none it continues the last call, unless
 *     it begins another: it names another tool, or the last one is whole.
 * I2. Some servers give each piece of a call an id of its own: with an index, and without a tool's name or with the same
 *     one while the call is not whole, it continues the call of that index, under the id that was first.
 */
import { own } from "../../../machines/model.ts";
import { type Fields, fieldsAt, isFields, numberAt } from "../../base/json.ts";
import { withMore } from "../kept-words.ts";
import { toldJson } from "../told-json.ts";
import type { CallIds } from "./call-ids.ts";
import type { ToolCall } from "./messages.ts";
import { argumentsOf, wordAt } from "./pieces.ts";

type Growing = ToolCall & { index: number | null; given: string | null };
type CallDelta = { index: number | null; given: string | null; name: string | null; text: string };

export class ToolCallAssembler {
  readonly #calls: Growing[] = [];
  readonly #ids: CallIds;
  constructor(ids: CallIds) {
    this.#ids = ids;
  }

  get all(): ToolCall[] {
    const inOrder = this.#calls.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
    return inOrder.map(({ index: _, given: __, ...call }) => call);
  }

  /** The call where its name has just become known; else "known", or "unknown" where the piece says nothing. */
  add(fields: Fields): ToolCall | "known" | "unknown" {
    const fn = fieldsAt(fields, "function");
    const piece: CallDelta = {
      index: numberAt(fields, "index"),
      given: wordAt(fields, "id"),
      name: wordAt(fn, "name"),
      text: argumentsOf(fn),
    };
    const call = this.#of(piece);
    if (call === null) return "unknown";
    call.given ??= piece.given;
    call.arguments = withMore(call.arguments, piece.text);
    const extra = own(fields, "extra_content");
    if (isFields(extra)) call.extra ??= extra;
    if (call.name !== "" || piece.name === null) return "known";
    call.name = piece.name;
    return call;
  }

  #of(piece: CallDelta): Growing | null {
    const { index, given, name } = piece;
    const known = this.#known(piece);
    if (known !== undefined && !begins(piece, known)) return known;
    if (name === null && given === null) return null;
    const call: Growing = { id: this.#ids(given), name: "", arguments: "", index, given };
    this.#calls.push(call);
    return call;
  }

  #known({ index, given }: CallDelta): Growing | undefined {
    if (index !== null) return this.#calls.findLast((call) => call.index === index);
    if (given !== null) return this.#calls.findLast((call) => call.given === given);
    return this.#calls.at(-1);
  }
}

function begins({ index, given, name }: CallDelta, known: Growing): boolean {
  if (index !== null && known.name !== "" && (name === null || (name === known.name && !isWhole(known)))) return false; // I2
  if (given !== null && known.given !== null) return given !== known.given;
  if (name === null || known.name === "") return false;
  // Some servers say the name with every piece.
  if (name !== known.name) return index === null || isWhole(known);
  return index === null && isWhole(known);
}

const isWhole = (call: ToolCall): boolean => isFields(toldJson(call.arguments) ?? undefined);
