/** How runs stand: what a status says of their steps, and which are listed. */

const UNBROKEN: ReadonlySet<string> = new Set(["running", "waiting", "parked"]);

/** Whether its open steps go on: a process runs them, or they wait for a person. Nothing was cut off. */
export const goesOn = (status: string): boolean => UNBROKEN.has(status);

const ENDED: { readonly [status: string]: string } = {
  completed: "has completed",
  failed: "has failed",
  cancelled: "has been cancelled",
  skipped: "has been skipped",
};
/** How a run stands, in a sentence about it. */
export const standsAs = (status: string): string => ENDED[status] ?? `is ${status}`;

/** The latest runs, then what else has no end: it is shown however many have begun after it. */
export function withOpen<Line extends { id: string }>(latest: readonly Line[], open: readonly Line[]): Line[] {
  const known = new Set(latest.map(({ id }) => id));
  return [...latest, ...open.filter(({ id }) => !known.has(id))];
}
