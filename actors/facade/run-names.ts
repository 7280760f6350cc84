/** What a person calls a run: its id, the beginning of it, or `@last`. */
import { TroupeError } from "../errors/troupe-error.ts";
import { END_OF_TIME } from "../host/reads.ts";
import { checkedText } from "./call-forms.ts";
import type { Runtime } from "./runtime.ts";

const LAST = "@last";
const MOST_LISTED = 10;

/** `cwd`: where the last one is looked for; null: anywhere. `principal`: whose; null: any principal's. */
export type RunName = { name: string; cwd: string | null; principal: string | null };

/** The id. Throws USER.RUN.NOT_FOUND and USER.RUN.AMBIGUOUS. */
export async function runNamed({ host, options }: Runtime, { name, cwd, principal }: RunName): Promise<string> {
  checkedText("name", name);
  await host.runs.gathered();
  if (name === LAST) {
    const asked = { principal, workflow: null, stands: null, within: cwd === null ? null : above(cwd) };
    // Where the clock was set back, those that began before that come last.
    for (const until of [options.clock.now(), END_OF_TIME])
      for await (const { run } of host.runs.latest({ ...asked, until })) return run;
    throw new TroupeError(
      "USER.RUN.NOT_FOUND",
      cwd === null
        ? "no run has begun yet: see troupe history"
        : "no run has begun in this directory or above it: see troupe history",
    );
  }
  const found = name === "" ? [] : await host.runs.beginning(name, principal, MOST_LISTED + 1);
  const [only, ...others] = found;
  if (found.includes(name) || only === undefined) return name;
  if (others.length === 0) return only;
  const listed = found.slice(0, MOST_LISTED);
  const more = found.length > MOST_LISTED ? ", …" : "";
  throw new TroupeError("USER.RUN.AMBIGUOUS", `several runs begin with "${name}": ${listed.join(", ")}${more}`, {
    run: name,
    runs: listed,
  });
}

const above = (folder: string) => ({ type: "above", folder }) as const;
