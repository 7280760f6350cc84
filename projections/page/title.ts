/**
 * The title of the browser's tab: what a person who looks elsewhere wants to know of the page, the first characters
 * first, since a tab shows no more.
 */
import { type RunLine, WAITING } from "./overview.ts";
import type { PagePlace } from "./place.ts";
import { visible } from "./seen.ts";

const NAME = "Troupe";
const MARKS: { readonly [status: string]: string } = {
  running: "▶",
  waiting: "?",
  parked: "?",
  interrupted: "!",
  completed: "✓",
  failed: "✗",
  cancelled: "–",
  skipped: "–",
};

/** `run`: the one that is shown, once it is known. `runs`: all that are listed. */
export function tabTitle(
  place: PagePlace,
  { run, runs }: { run: Pick<RunLine, "workflow" | "status"> | null; runs: readonly Pick<RunLine, "status">[] },
): string {
  switch (place.view) {
    case "run":
      return run === null ? NAME : `${MARKS[run.status] ?? ""} ${visible(run.workflow)} · ${NAME}`.trimStart();
    case "runs": {
      const waiting = runs.filter(({ status }) => WAITING.has(status)).length;
      return waiting === 0 ? NAME : `(${waiting}) ${NAME}`;
    }
    case "workflow":
      return `${visible(place.workflow)} · ${NAME}`;
    case "workflows":
      return `Workflows · ${NAME}`;
    case "machines":
      return `Machines · ${NAME}`;
    default:
      return place satisfies never;
  }
}
