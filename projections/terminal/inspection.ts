/** What passes between machines, as lines: who has sent what to whom, and what that has made of it. */
import {
  type EventStep,
  eventText,
  type KnownActor,
  payloadText,
  senderText,
  stateText,
} from "../inspection/actors.ts";
import { paint } from "./paint.ts";
import { safeLine } from "./safe.ts";

const MOST_PAYLOAD = 160;
type Shown = { colours: boolean };

export function stepLine(step: EventStep, actors: ReadonlyMap<string, KnownActor>, { colours }: Shown): string {
  const time = new Date(step.at).toISOString().slice(11, 23);
  const name = actors.get(step.to)?.name ?? step.to;
  const after = step.after ?? "";
  const state = step.before === "" || step.before === after ? after : `${step.before} → ${after}`;
  const payload = payloadText(step.event);
  const short = payload.length > MOST_PAYLOAD ? `${payload.slice(0, MOST_PAYLOAD)}…` : payload;
  const words = [`${senderText(step, actors)} ─▶ ${name}`, eventText(step.event.type), `[${state}]`];
  const line = words.map((word) => safeLine(word)).join("  ");
  return `${paint(colours).dim(time)}  ${line}${short === "" ? "" : `  ${paint(colours).dim(safeLine(short))}`}`;
}

/** The machines that are kept, below whom they belong to. */
export function actorLines(actors: readonly KnownActor[], { colours }: Shown): string[] {
  const known = new Set(actors.map(({ key }) => key));
  const lines = (parent: string | null, depth: number): string[] =>
    actors
      .filter((one) => (one.parent !== null && known.has(one.parent) ? one.parent : null) === parent)
      .flatMap(({ key, name, snapshot }) => {
        const tags = (snapshot.tags ?? []).map((tag) => `, ${tag}`).join("");
        const words = `${name}  [${stateText(snapshot.value)}${tags}]`;
        return [
          `${"  ".repeat(depth)}${safeLine(words)}  ${paint(colours).dim(safeLine(key))}`,
          ...lines(key, depth + 1),
        ];
      });
  return lines(null, 0);
}
