/**
 * The place on the page, as its address has it behind the `#`: a link shows the same to everyone who may see the run.
 *
 * I1. What is written is read back the same; what is not understood is the list of all runs.
 */

/**
 * `step`: as `addressOf` names it. `seq`: the row at which the run is shown; null is its end, live. `line`: of an output,
 * `<seq of its first row>.<number>`.
 */
export type RunPlace = { view: "run"; run: string; step: string | null; seq: number | null; line: string | null };
export type WorkflowPlace = { view: "workflow"; workflow: string; cwd: string | null };
/** `key`: the machine that is chosen. `search`: words that keys or names hold. */
export type MachinesPlace = { view: "machines"; key: string | null; search: string };
export type PagePlace =
  | { view: "runs"; search: string }
  | RunPlace
  | WorkflowPlace
  | MachinesPlace
  | { view: "workflows"; cwd: string | null };

/** Without the `#`. */
export function placeText(place: PagePlace): string {
  switch (place.view) {
    case "runs":
      return `/${asked({ q: place.search })}`;
    case "run":
      return `/run/${encodeURIComponent(place.run)}${asked({ step: place.step, seq: place.seq, line: place.line })}`;
    case "workflow":
      return `/workflow/${encodeURIComponent(place.workflow)}${asked({ cwd: place.cwd })}`;
    case "machines":
      return `/machines${asked({ key: place.key, q: place.search })}`;
    case "workflows":
      return `/workflows${asked({ cwd: place.cwd })}`;
    default:
      return place satisfies never;
  }
}

export function placeOf(text: string): PagePlace {
  const [path = "", query = ""] = text.replace(/^#/, "").split(/\?(.*)/s, 2);
  const given = new URLSearchParams(query);
  const [, view = "", name] = path.split("/");
  const named = decoded(name ?? "");
  const seq = /^\d{1,15}$/.test(given.get("seq") ?? "") ? Number(given.get("seq")) : null;
  if (view === "run" && named !== "")
    return { view, run: named, step: given.get("step"), seq, line: given.get("line") };
  if (view === "workflow" && named !== "") return { view, workflow: named, cwd: given.get("cwd") };
  if (view === "workflows") return { view, cwd: given.get("cwd") };
  if (view === "machines") return { view, key: given.get("key"), search: given.get("q") ?? "" };
  return { view: "runs", search: given.get("q") ?? "" };
}

function asked(words: { [name: string]: string | number | null }): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(words)) if (value !== null && value !== "") query.set(name, String(value));
  return query.size === 0 ? "" : `?${query}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
