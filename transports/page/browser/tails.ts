/**
 * What a step at work writes is shown at its end, as a log is.
 *
 * I1. It is followed to its end while its user has not scrolled up; who scrolls down to the end follows again.
 * I2. Another step, or another of its tabs, is shown from its beginning, or at the line that the address means.
 */
import { isUsersScroll, noteStanding } from "./scrolled.ts";

const OUTPUTS = ".item:last-child .output";
/** A browser that zooms stands at parts of a pixel. */
const AT_END = 4;
/** What was shown there last, by `data-shown` of the step. */
const shownIn = new WeakMap<Element, string>();
const meantIn = new WeakMap<Element, Element>();
/** Those that were scrolled up, with what was shown then. */
const left = new WeakMap<Element, string>();
/** What was shown there while it grew: its last words come with its end. */
const grew = new WeakMap<Element, string>();

/** After each drawing. */
export function followTails(page: ParentNode): void {
  const body = page.querySelector<HTMLElement>(".step-body");
  if (body === null) return;
  const shown = body.dataset["shown"] ?? "";
  if (shownIn.get(body) !== shown) body.scrollTop = 0; // I2
  shownIn.set(body, shown);
  const meant = body.querySelector(".line.meant");
  if (meant !== null && meantIn.get(body) !== meant) meant.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (meant !== null) meantIn.set(body, meant);
  if (body.matches(".grows")) grew.set(body, shown);
  else if (!body.matches(".latest")) grew.delete(body);
  for (const room of roomsOf(body)) {
    if (grew.get(body) === shown && left.get(room) !== shown) room.scrollTop = room.scrollHeight;
    noteStanding(room);
  }
}

export function onTailScroll({ target }: Event): void {
  if (!(target instanceof Element)) return;
  const body = target.closest<HTMLElement>(".step-body");
  if (body === null || !roomsOf(body).includes(target) || !isUsersScroll(target)) return;
  const isAtEnd = target.scrollHeight - target.clientHeight - target.scrollTop <= AT_END;
  if (isAtEnd) left.delete(target);
  else left.set(target, body.dataset["shown"] ?? "");
}

const roomsOf = (body: Element): Element[] => [body, ...body.querySelectorAll(OUTPUTS)];
