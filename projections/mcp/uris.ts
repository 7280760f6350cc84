/** The addresses of resources. Ids and names are percent-coded, so that each is one part of the path. */
const RUNS = "troupe://runs/";
const WORKFLOWS = "troupe://workflows/";

export const runUri = (run: string): string => `${RUNS}${encodeURIComponent(run)}`;
export const logUri = (run: string): string => `${runUri(run)}/log`;
export const workflowUri = (id: string): string => `${WORKFLOWS}${encodeURIComponent(id)}`;

export type Addressed = { type: "run" | "log"; run: string } | { type: "workflow"; id: string };

/** What an address names; null when it is none of ours. */
export function addressed(uri: string): Addressed | null {
  const run = /^troupe:\/\/runs\/([^/]+)(\/log)?$/.exec(uri);
  const workflow = /^troupe:\/\/workflows\/([^/]+)$/.exec(uri);
  try {
    if (run !== null) return { type: run[2] === undefined ? "run" : "log", run: decodeURIComponent(run[1] ?? "") };
    return workflow === null ? null : { type: "workflow", id: decodeURIComponent(workflow[1] ?? "") };
  } catch {
    return null;
  }
}
