/** Whose a scroll is: one that neither a drawing nor a change of size has made is its user's. */

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
