/**
 * What a session's prompt asks for, with what it brings along.
 *
 * I1. Nothing is kept of a prompt that is refused.
 * I2. What a prompt brings is kept before its turn begins: whatever begins afterwards finds it, also after a crash.
 */
import type { Prompt } from "../../../machines/contracts.ts";
import { idOf, type Key } from "../../../machines/model.ts";
import { choiceOf, UNCHOSEN } from "../../../machines/settings.ts";
import type { Node } from "../../../machines/workflow/document.ts";
import type { PromptBlock } from "../../api/facade.ts";
import type { PromptRequest } from "../../api/records.ts";
import { type Takes, unservedInAnswer, unservedInRun } from "../../attachments/served.ts";
import { type Taken, takenOf } from "../../attachments/take.ts";
import { directoryGone, NOTHING_RUNS } from "../../base/directory.ts";
import type { Ids } from "../../base/ids.ts";
import { providerOf } from "../../effects/provider.ts";
import { troupeError } from "../../errors/troupe-error.ts";
import type { PromptSession } from "../../prompt/consent.ts";
import { unreadable } from "../../prompt/explain.ts";
import { interpretPrompt } from "../../prompt/interpret.ts";
import { checkedList } from "../call-forms.ts";
import { lastingOf } from "../committed.ts";
import type { Runtime } from "../runtime.ts";
import { keptBack } from "./continuing.ts";
import { MODEL, PERMISSIONS, WORKFLOW } from "./options.ts";
import { rerunAsked } from "./rerun-command.ts";

type Intents = Prompt["asks"];
export type Prompting = {
  session: Key;
  request: PromptRequest;
  taken: Taken;
  place: PromptSession;
  /** The turn that it begins. */
  turn: string;
};

export const takenIn = ({ limits, mask }: Runtime, blocks: readonly PromptBlock[]): Taken =>
  takenOf(checkedList("blocks", blocks), { limits, mask });

/** Throws nothing for what a prompt holds: that is explained. */
export async function promptAsks(
  runtime: Runtime,
  { session, request, taken, place, turn }: Prompting,
): Promise<Intents> {
  const { catalogue, askHost, attachments, limits } = runtime;
  if (taken.fault !== null) return unreadable(taken.fault);
  const kept = keptBack(runtime, { session, cwd: place.cwd, consent: request.consent });
  if (kept !== null) return unreadable(kept);
  const gone = directoryGone(place.cwd, NOTHING_RUNS);
  if (gone !== null) return unreadable(gone);
  const again = await rerunAsked(runtime, { session, request, taken, place, turn });
  if (again !== null) return again;
  const { settings } = lastingOf(runtime, session);
  const chosen = choiceOf(settings, WORKFLOW);
  const asking = { ...request, blocks: taken.blocks, ...(chosen === UNCHOSEN ? {} : { defaultWorkflow: chosen }) };
  const asks = await interpretPrompt(
    catalogue,
    asking,
    { ...place, permissions: choiceOf(settings, PERMISSIONS), model: choiceOf(settings, MODEL) },
    { ...askHost, secrets: { mask: runtime.mask, turn } },
  );
  if (taken.pieces.length === 0 || asks.type === "unreadable") return asks;
  const attached = taken.pieces.map((piece) => piece.attached);
  const run = asks.type === "text" ? asks.otherwise : asks;
  const asked = askedOf(runtime, session);
  if (asked === null && run.type !== "run") return asks;
  const fault =
    asked === null && run.type === "run"
      ? await unservedInRun(run, attached, takesOf(runtime))
      : await unservedInAnswer(asked?.node ?? null, attached, takesOf(runtime));
  if (fault !== null) return unreadable(fault);
  try {
    await attachments.keep(session, taken.pieces, limits().attachmentsBytes);
  } catch (error) {
    const { code, message } = troupeError(error);
    return unreadable({ code, message });
  }
  return asks;
}

const takesOf =
  ({ agents }: Runtime): Takes =>
  async (provider) => {
    try {
      return (await providerOf(provider, "provider", agents)()).content ?? [];
    } catch {
      return []; // there is none of this name, which the step says better
    }
  };

/** The step that the next plain prompt answers; null where none waits. */
function askedOf({ host }: Runtime, session: Key): { node: Node | null } | null {
  const { value, inputs = [] } = host.sessions.read(session) ?? {};
  if (value !== "parked" && value !== "interrupted") return null;
  const [input] = inputs;
  return input === undefined ? null : { node: host.questions.stepOf(idOf(input)) };
}

type PromptIntent = Prompt["asks"];

/** The run's id is chosen here, so that who asked knows it before it has begun. */
export function named(asks: PromptIntent, ids: Ids): PromptIntent {
  if (asks.type === "run") return { ...asks, run: asks.run ?? ids("run") };
  return asks.type === "text" && asks.otherwise.type === "run"
    ? { ...asks, otherwise: { ...asks.otherwise, run: ids("run") } }
    : asks;
}

/** The run that is asked for by name; null where it is none. */
export function runOf(asks: PromptIntent): string | null {
  const run = asks.type === "text" ? asks.otherwise : asks;
  return run.type === "run" ? run.run : null;
}
