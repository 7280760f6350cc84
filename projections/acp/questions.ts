/**
 * Open permissions. Each has a card of its own, so that every client shows question and answer alike, replay included.
 *
 * I1. The card is opened before the question is given, and ends with its answer.
 * I2. Where the page of runs is served when it is asked, the card says where: an address, which is no credential.
 * I3. A turn's end withdraws what is still open, as when its process died: until its run is resumed, and asks anew, no
 *     answer to it counts.
 */
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import type { RowOf } from "../../machines/exchange.ts";
import { visibleLine } from "../../machines/visible.ts";
import type { Callers } from "./callers.ts";
import type { Cards } from "./cards.ts";
import { consentContent } from "./consent.ts";
import { type PermissionView, textContent, type View } from "./view.ts";

type Requested = RowOf<"permission.requested">;
type Resolved = RowOf<"permission.resolved">;

const cardId = (permission: string): string => `permission/${permission}`;

export class Questions {
  readonly #cards: Cards;
  readonly #callers: Callers;
  readonly #open = new Map<string, PermissionView>();
  readonly #page: () => string | null;
  constructor(cards: Cards, callers: Callers, page: () => string | null) {
    this.#page = page;
    this.#cards = cards;
    this.#callers = callers;
  }

  ask({ run = "", step = "", payload }: Requested, views: View[]): void {
    const { permission, kind, input, locations } = payload;
    const title = this.#callers.titled(run, payload.title);
    const id = cardId(permission);
    const options = payload.options.map((option) => ({ ...option, name: visibleLine(option.name) }));
    const question = { ...payload, title, options, card: id };
    this.#open.set(permission, question);
    const fields = {
      status: "pending" as const,
      content: [...consentContent(payload), ...this.#where(run)],
      ...(input === undefined ? {} : { rawInput: input }),
      ...(locations === undefined ? {} : { locations }),
    };
    this.#cards.open({ id, run, step, title: visibleLine(title), kind, fenced: false }, fields, views);
    views.push({ permission: question });
  }

  /** I2. */
  #where(run: string): ToolCallContent[] {
    const page = run === "" ? null : this.#page();
    return page === null ? [] : [textContent(`On the page of runs: ${page}#/run/${encodeURIComponent(run)}`)];
  }

  /** Those that are open, for a reader that comes later; their cards were shown. */
  tell(_: number, views: View[]): void {
    for (const question of this.#open.values()) views.push({ permission: question });
  }

  /** I3. Their cards end with the turn. */
  withdraw(views: View[]): void {
    for (const resolved of this.#open.keys()) views.push({ resolved });
    this.#open.clear();
  }

  answer({ payload: { permission, outcome, option } }: Resolved, views: View[]): void {
    const card = this.#cards.get(cardId(permission));
    const chosen = this.#open.get(permission)?.options.find((one) => one.id === option);
    this.#open.delete(permission);
    views.push({ resolved: permission });
    if (card === undefined) return;
    if (outcome === "cancelled") return this.#cards.close(card, { status: "cancelled", note: "Cancelled" }, views);
    const allowed = chosen?.kind.startsWith("allow") ?? false;
    this.#cards.close(
      card,
      { status: allowed ? "completed" : "failed", note: chosen?.name ?? visibleLine(option ?? "") },
      views,
    );
  }
}
