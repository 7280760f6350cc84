/**
 * Whether a session's run may go on here: one that was cut off or parked continues only in a directory that is there, and
 * only while every directory is trusted whose trust for good let it begin. H51.
 *
 * I1. What was let run without trust for good was let run as a whole: it goes on as it began.
 * I2. Where it may not go on nothing has changed: it can be resumed or answered once the directory is trusted. A `yes` given
 *     with that holds in its process.
 * I3. A cancel that a crash cut off is finished by who opens the session next: its run does not go on. Who would have had it
 *     go on hears that when it has ended.
 * I4. A secret input that this process does not know is given again first: without it a step would fail, and an answer be
 *     lost. On an engine the workers look for it.
 */
import { existsSync } from "node:fs";
import type { Intent } from "../../../machines/contracts.ts";
import type { Key } from "../../../machines/model.ts";
import { quotedWord } from "../../../machines/workflow/template/plain.ts";
import type { Session } from "../../api/facade.ts";
import type { Consent, RunRequest } from "../../api/records.ts";
import { directoryGone } from "../../base/directory.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { checkedRecover } from "../call-forms.ts";
import { interruptedIn, placeOf } from "../committed.ts";
import type { Runtime } from "../runtime.ts";
import { checkedLimits } from "./allowance.ts";
import { learnAgain, secretsUnknown } from "./input-secrets.ts";
import { recallWritten } from "./recall.ts";
import { cancel } from "./resting.ts";

type Continuing = { session: Key; cwd: string; consent: Consent | undefined };
type Parts = Pick<Runtime, "host" | "options" | "user" | "lets">;

/** What is given to a run that is to go on is taken. Throws where it may not: nobody is asked in vain, and nothing is sent. */
export async function readied(
  runtime: Runtime,
  session: Pick<Session, "id" | "cwd" | "rows">,
  run: string,
  { inputs, consent }: { inputs: RunRequest["inputs"]; consent: Consent | undefined },
): Promise<void> {
  const key: Key = `session/${session.id}`;
  await cancelled(runtime, session.id);
  // Who names a called run gives what the run above it lacks, too; where both have an input of that name, that one counts.
  for (const each of new Set([run, runOf(runtime.host, key)])) learnAgain(runtime, session, each, inputs);
  await recallWritten(runtime, key, session.cwd);
  const kept = keptBack(runtime, { session: key, cwd: session.cwd, consent });
  if (kept !== null) throw kept;
}

/** I3. Whatever comes to such a session is taken by its machines after what the crash left; this changes nothing more. */
export async function finishCancel(parts: Pick<Runtime, "host" | "releases">, session: Key): Promise<void> {
  const { sessions } = parts.host;
  if (sessions.read(session)?.isCancelling !== true || sessions.find(session)?.isOwned !== false) return;
  await cancel(parts, session);
}

/** The same, and waits for what is cancelled here to end: then the run is as it stays. */
export async function cancelled(parts: Pick<Runtime, "host" | "releases">, session: string): Promise<void> {
  await finishCancel(parts, `session/${session}`);
  await parts.releases.cancelling(`session/${session}`);
}

/**
 * Asks for the run to go on. Throws USER.TRUST.REQUIRED, USER.SESSION.CWD or USER.INPUT.MISSING where it may not,
 * USER.CLI.USAGE for a budget that is none, and USER.FACADE.INVALID_REQUEST for a recovery that is none.
 */
export function goingOn(runtime: Parts, continuing: Continuing, asks: Intent): () => Promise<Intent> {
  return async () => {
    if (asks.type === "resume") checkedRecover(asks.recover);
    if (asks.type === "resume" && asks.budget !== undefined) checkedLimits(asks.budget);
    const kept = keptBack(runtime, continuing);
    if (kept !== null) throw kept;
    return asks;
  };
}

/** Why the run that waits in a session may not go on; null where it may, or none waits. */
export function keptBack(runtime: Parts, { session, cwd, consent }: Continuing): TroupeError | null {
  const { host, lets } = runtime;
  if (host.sessions.read(session)?.value !== "parked" && interruptedIn(runtime, session) === null) return null;
  const gone = directoryGone(cwd, "so the run does not go on; it stays as it is");
  if (gone !== null) return gone;
  if (consent === "yes") lets.add(session);
  const run = runOf(host, session);
  return (lets.has(session) ? null : untrusted(runtime, session, cwd, run)) ?? secretsLacking(host, run);
}

function untrusted(runtime: Parts, session: Key, cwd: string, run: string): TroupeError | null {
  const { trusts } = placeOf(runtime, session, cwd);
  const missing = runtime.host.runs.standsOn(run).find((directory) => existsSync(directory) && !trusts(directory));
  if (missing === undefined) return null;
  const message = `${missing} is not trusted any more, so the run does not go on; it stays as it is. To go on with it: troupe trust add ${quotedWord(missing)}, then send this again`;
  return new TroupeError("USER.TRUST.REQUIRED", message, { cwd: missing });
}

/** I4. */
function secretsLacking(host: Parts["host"], run: string): TroupeError | null {
  const names = secretsUnknown(host, run);
  if (names.length === 0) return null;
  const which = names.length === 1 ? `the value of ${names[0]} is` : `the values of ${names.join(", ")} are`;
  const again = names.map((name) => `-i ${name}=@-`).join(" ");
  // What to do comes first: some faces show one line.
  const message = `give ${names.join(", ")} again by troupe resume ${run} ${again}, or by inputs of the API: ${which} secret and in no store, and this process does not know it. The run does not go on; it stays as it is`;
  return new TroupeError("USER.INPUT.MISSING", message, { run, inputs: names });
}

/** The run that a turn of the session began last; "" where there is none. */
function runOf(host: Parts["host"], session: Key): string {
  for (const row of host.backwards(session, { types: ["run.started"] }))
    if (row.type === "run.started" && row.payload.turn !== undefined) return row.run ?? "";
  return "";
}
