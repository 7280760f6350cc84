import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type Over, Place, type Played } from "../place.ts";
import type { Subject } from "../subject.ts";

export const HELLO = (turn: number, said: string, first = said): string =>
  `Hello from the stub model, turn ${turn}. You said: ${said}. First prompt was: ${first}`;
export const text = (said: unknown) => ({ type: "text", text: said });
export const THOUGHT = { type: "thought", text: expect.stringContaining("Let me think about this.") };
export const CALLING = text("I will use a tool.");
export const returned = (said: string) =>
  text(expect.stringMatching(new RegExp(`^The tool returned: [^]*${said}[^]*All done\\.$`)));

/** `place` is there within a test. */
export type Cases = ReturnType<typeof casesOf>;

/** To be called where tests are declared. */
export function casesOf(subject: Subject) {
  const { can } = subject;
  let place: Place;
  beforeAll(async () => {
    place = await Place.open(subject);
  });
  afterAll(() => place.close());
  beforeEach(() => place.server.reset());
  const play = ({ options, ...over }: Over = {}): Promise<Played> =>
    place.play(subject.agent(), { ...over, options: { ...subject.options, ...(options ?? subject.open) } });
  const shellCall = (command: string, states: string[], said: string) => ({
    type: "call",
    kind: "execute",
    ...(subject.shell?.(command) ?? { title: command, input: { command } }),
    states,
    said: expect.stringContaining(said),
  });
  const once = (said: string) => expect.stringMatching(new RegExp(`^(?:(?!${said})[^])*${said}(?:(?!${said})[^])*$`));

  return {
    ...{ subject, can, play, shellCall, once },
    get place(): Place {
      return place;
    },
  };
}
