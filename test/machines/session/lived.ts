/** A live session, and what it does after each event. */
import { type AnyMachineSnapshot, createActor, SimulatedClock } from "xstate";
import type { LiveEvent, LiveFact } from "../../../machines/live-session/vocabulary.ts";
import { liveSessionMachine } from "../../../machines/live-session-machine.ts";

export const reserved = (name = "p", by: string | null = "a"): LiveEvent => ({ type: "prompt.reserved", name, by });
export const answered = (name = "p"): LiveEvent => ({ type: "prompt.answered", name });
export const [sent, durable, failed, ended, cancel, deserted, elsewhere, lost] = (
  [
    "prompt.sent",
    "prompt.durable",
    "prompt.failed",
    "turn.ended",
    "cancel.requested",
    "session.deserted",
    "turn.began elsewhere",
    "session.lost",
  ] as const
).map((type) => ({ type })) as [LiveEvent, LiveEvent, LiveEvent, LiveEvent, LiveEvent, LiveEvent, LiveEvent, LiveEvent];
export const came = (viewer: string): LiveEvent => ({ type: "viewer.came", viewer });
export const left = (viewer: string, graceMs = 0): LiveEvent => ({ type: "viewer.left", viewer, graceMs });
export const asked = (question: string): LiveEvent => ({ type: "question.asked", question });
export const closed = (question: string): LiveEvent => ({ type: "question.closed", question });

const words = (fact: LiveFact): string => {
  switch (fact.type) {
    case "prompt.withdrawn":
    case "prompt.over":
      return `${fact.type} ${fact.name}!`;
    case "end.due":
      return `${fact.ending}!`;
    default:
      return `${fact.type}!`;
  }
};
export type Heard = (LiveEvent | number)[];
/** What the machine says, and the states of one region, after each event. A number lets that much time pass. */
export function lived(look: (snapshot: AnyMachineSnapshot) => string, heard: Heard): string[] {
  const clock = new SimulatedClock();
  const actor = createActor(liveSessionMachine, { clock });
  const said: string[] = [];
  let before = "";
  const note = (): void => {
    const now = look(actor.getSnapshot());
    if (now !== before) said.push(now);
    before = now;
  };
  actor.on("*", (fact) => said.push(words(fact)));
  actor.start();
  note();
  for (const one of heard) {
    if (typeof one === "number") clock.increment(one);
    else actor.send(one);
    note();
  }
  return said;
}
export const region = (name: string) => (snapshot: AnyMachineSnapshot) => snapshot.value[name] as string;

export const turn = (by: string | null): LiveEvent[] => [reserved("t", by), sent, ended, answered("t")];
export const OVER = "prompt.over t!";
