/**
 * What is scrolled: what of it is seen, and whose a scroll is.
 *
 * I1. One that neither a drawing nor a change of size has made is its user's.
 */

/** Where what is scrolled stood when it was drawn last. */
const stood = new WeakMap<Element, { sizes: string; place: string }>();
const standing = (room: Element): { sizes: string; place: string } => ({
  sizes: [room.scrollWidth, room.scrollHeight, room.clientWidth, room.clientHeight].join(),
  place: [room.scrollLeft, room.scrollTop].join(),
});

/** After each drawing, once it stands where it should. */
export const noteStanding = (room: Element): void => void stood.set(room, standing(room));

export function isUsersScroll(room: Element): boolean {
  const [last, here] = [stood.get(room), standing(room)];
  return last !== undefined && last.sizes === here.sizes && last.place !== here.place;
}

/** An element, or words. */
type Seen = Pick<Element, "getBoundingClientRect">;

/** What is not seen comes to the middle of its room. The page itself stays where it is. */
export function bring(one: Seen, room: Element): void {
  if (isSeen(one, room)) return;
  const [it, around] = [one.getBoundingClientRect(), room.getBoundingClientRect()];
  room.scrollTop += it.top + it.height / 2 - (around.top + around.height / 2);
  if (it.left < around.left || it.right > around.right)
    room.scrollLeft += it.left + it.width / 2 - (around.left + around.width / 2);
}

/** Whole, or as much of it as half the room holds. */
export function isSeen(one: Seen, room: Element): boolean {
  const [it, around] = [one.getBoundingClientRect(), room.getBoundingClientRect()];
  const top = around.top + (room.querySelector<HTMLElement>(".axis")?.offsetHeight ?? 0);
  const high = Math.min(it.bottom, around.bottom) - Math.max(it.top, top);
  const wide = Math.min(it.right, around.right) - Math.max(it.left, around.left);
  return high >= Math.min(it.height - 2, around.height / 2) && wide >= Math.min(it.width / 2, around.width / 2);
}
