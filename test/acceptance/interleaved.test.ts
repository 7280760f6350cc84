/**
 * Prompts, answers, decisions, cancels, deletions, hang-ups and crashes (`kill -9`, and at every commit) of up to three
 * clients, in any order. test/support/interleaving/invariants.ts says what holds after every step. `TROUPE_FUZZ` is the
 * number of sequences, `TROUPE_FUZZ_SEED` draws others.
 */
import fc from "fast-check";
import { describe, test } from "vitest";
import { connections, processes, type Way } from "../support/interleaving/client.ts";
import { finish } from "../support/interleaving/finish.ts";
import { play } from "../support/interleaving/play.ts";
import {
  CHOICES,
  CLIENTS,
  HASTES,
  isPossible,
  LAST_ACTS,
  MODEL,
  MOMENTS,
  type Model,
  SESSIONS_EVER,
  type Step,
  WORDS,
} from "../support/interleaving/steps.ts";
import { World } from "../support/interleaving/world.ts";

const SEQUENCES = Number(process.env["TROUPE_FUZZ"] ?? 3);
const SEED = Number(process.env["TROUPE_FUZZ_SEED"] ?? 20_260);
const MOST_STEPS = 30;
const WAYS: { [name: string]: () => Way } = {
  "processes on one store": processes,
  "clients of one server": connections,
};

/** One of the steps that are possible when its turn comes: first the kind is drawn, then the step. */
class Command implements fc.AsyncCommand<Model, World> {
  readonly #draw: readonly [number, number];
  #step: Step | null = null;
  constructor(draw: readonly [number, number]) {
    this.#draw = draw;
  }
  check(): boolean {
    return true;
  }
  async run(model: Model, world: World): Promise<void> {
    const kinds = KINDS.filter((kind) => possible(model, kind).length > 0);
    const steps = possible(model, kinds[this.#draw[0] % kinds.length] ?? "enter");
    const step = steps[this.#draw[1] % steps.length];
    if (step === undefined) return;
    this.#step = step;
    await play(model, world, step);
  }
  toString(): string {
    return JSON.stringify(this.#step);
  }
}

/** The more often a kind is listed here, the more often it is drawn. */
const KINDS: readonly Step["do"][] = [
  ...["enter", "enter", "open", "load", "load", "resume"],
  ...["prompt", "prompt", "prompt", "prompt", "prompt", "prompt"],
  ...["decide", "decide", "decide", "repeat", "rush", "cancel", "close", "leave", "kill", "delete", "doom", "doom"],
] as Step["do"][];

const CLIENT_PLACES = [...Array(CLIENTS).keys()];
const PLACES = CLIENT_PLACES.flatMap((client) =>
  [...Array(SESSIONS_EVER).keys()].map((session) => ({ client, session })),
);
/** How many commits a process makes before it ends itself. */
const NTHS = [1, 2, 3, 4, 5, 6, 8, 10];
const ALL: readonly Step[] = [
  ...CLIENT_PLACES.flatMap((client): Step[] => [
    { do: "enter", client },
    { do: "open", client },
    { do: "repeat", client },
    { do: "leave", client },
    { do: "kill", client },
    ...CHOICES.map((choice): Step => ({ do: "decide", client, choice })),
  ]),
  ...PLACES.flatMap((place): Step[] => [
    { do: "load", ...place },
    { do: "resume", ...place },
    { do: "cancel", ...place },
    { do: "close", ...place },
    { do: "delete", ...place },
    ...WORDS.map((text): Step => ({ do: "prompt", ...place, text })),
    ...MOMENTS.flatMap((at) =>
      LAST_ACTS.flatMap((act) => NTHS.map((nth): Step => ({ do: "doom", ...place, act, at, nth }))),
    ),
    ...WORDS.flatMap((text) => HASTES.map((next): Step => ({ do: "rush", ...place, text, next }))),
  ]),
];
const possible = (model: Readonly<Model>, kind: Step["do"]): Step[] =>
  ALL.filter((step) => step.do === kind && isPossible(model, step));

const draws = fc.tuple(fc.nat(9_999), fc.nat(9_999)).map((draw) => new Command(draw));
const commands = fc.commands([draws], { maxCommands: MOST_STEPS, size: "max" });

/** Each sequence begins with a client and a session: most steps need both. */
const BEGINNING: Step[] = [
  { do: "enter", client: 0 },
  { do: "open", client: 0 },
];

async function played(way: Way, act: (model: Model, world: World) => Promise<void>): Promise<void> {
  const world = new World(way);
  const model = MODEL();
  try {
    for (const step of BEGINNING) await play(model, world, step);
    await act(model, world);
    await finish(model, world);
  } finally {
    await world.house.leave();
  }
}

describe.each(Object.entries(WAYS))("%s", (_, way) => {
  test(
    "any steps in any order keep the invariants",
    async () => {
      await fc.assert(
        fc.asyncProperty(commands, (drawn) =>
          played(way(), async (model, world) => {
            await fc.asyncModelRun(() => ({ model, real: world }), drawn);
          }),
        ),
        { numRuns: SEQUENCES, seed: SEED, unbiased: true, endOnFailure: process.env["TROUPE_FUZZ"] !== undefined },
      );
    },
    60_000 + SEQUENCES * 120_000,
  );
});

const [FIRST, SECOND] = [
  { client: 0, session: 0 },
  { client: 1, session: 0 },
] as const;
/** The attending client is killed, and another takes over. */
const TAKEN_OVER: Step[] = [
  { do: "kill", client: 0 },
  { do: "enter", client: 1 },
  { do: "load", ...SECOND },
];
/** Sequences that are always played: crashes at the moments that matter most, and sequences that once found a fault. */
const KEPT: { [what: string]: Step[] } = {
  "a kill while it is parked": [
    { do: "prompt", ...FIRST, text: "/talk" },
    ...TAKEN_OVER,
    { do: "prompt", ...SECOND, text: "blue" },
    { do: "prompt", ...SECOND, text: "" },
  ],
  "a kill while an approval is open": [
    { do: "prompt", ...FIRST, text: "/gate" },
    ...TAKEN_OVER,
    { do: "prompt", ...SECOND, text: "/hello" },
    { do: "prompt", ...SECOND, text: "blue" },
    { do: "decide", client: 1, choice: "yes" },
  ],
  "a kill while a tool is asked for": [
    { do: "prompt", ...FIRST, text: "/talk" },
    { do: "prompt", ...FIRST, text: "ask" },
    ...TAKEN_OVER,
    { do: "prompt", ...SECOND, text: "blue" },
    { do: "decide", client: 1, choice: "yes" },
    { do: "decide", client: 1, choice: "no" },
    { do: "prompt", ...SECOND, text: "blue" },
  ],
  "a kill while the agent speaks": [
    { do: "prompt", ...FIRST, text: "/talk" },
    { do: "prompt", ...FIRST, text: "hold" },
    ...TAKEN_OVER,
    { do: "prompt", ...SECOND, text: "blue" },
    { do: "decide", client: 1, choice: "yes" },
    { do: "cancel", ...SECOND },
  ],
  "two kills, and a cancel of the run that is not resumed": [
    { do: "prompt", ...FIRST, text: "/asleep" },
    ...TAKEN_OVER,
    { do: "prompt", ...SECOND, text: "blue" },
    { do: "kill", client: 1 },
    { do: "enter", client: 0 },
    { do: "load", ...FIRST },
    { do: "cancel", ...FIRST },
  ],
  "a prompt whose session is deleted at once": [
    { do: "rush", ...FIRST, text: "/asleep", next: "delete" },
    { do: "load", ...FIRST },
    { do: "delete", ...FIRST },
  ],
  "clients that hang up right behind their prompts": (["/hello", "/talk", "/gate"] as const).flatMap((text): Step[] => [
    { do: "rush", ...FIRST, text, next: "leave" },
    { do: "enter", client: 0 },
    { do: "load", ...FIRST },
  ]),
  "a deletion by another client, which may be refused": [
    { do: "enter", client: 1 },
    { do: "load", ...SECOND },
    { do: "prompt", ...FIRST, text: "/asleep" },
    { do: "delete", ...SECOND },
    { do: "cancel", ...FIRST },
    { do: "prompt", ...SECOND, text: "/hello" },
    { do: "delete", ...SECOND },
    { do: "prompt", ...FIRST, text: "blue" },
  ],
  "a deletion that is cut off, and one that was committed": [
    { do: "prompt", ...FIRST, text: "/talk" },
    { do: "doom", ...FIRST, act: "delete", at: "commit.inside", nth: 2 },
    { do: "enter", client: 1 },
    { do: "load", ...SECOND },
    { do: "doom", ...FIRST, act: "delete", at: "commit.after", nth: 2 },
    { do: "load", ...SECOND },
  ],
  "the client that was asked hangs up while another attends": [
    { do: "enter", client: 1 },
    { do: "load", ...SECOND },
    { do: "prompt", ...FIRST, text: "/gate" },
    { do: "prompt", ...SECOND, text: "blue" },
    { do: "leave", client: 0 },
    { do: "decide", client: 1, choice: "forged" },
    { do: "repeat", client: 1 },
  ],
};

describe.each(Object.entries(WAYS))("kept, with %s", (_, way) => {
  test.each(Object.entries(KEPT))(
    "%s",
    async (__, steps) => {
      await played(way(), async (model, world) => {
        for (const step of steps) if (isPossible(model, step)) await play(model, world, step);
      });
    },
    60_000,
  );
});
