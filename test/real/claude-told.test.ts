/** Words of a person to the real `claude` while it works, on the scripted model server. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { GuidanceWords } from "../../actors/agents/agent.ts";
import { Place } from "./place.ts";
import { CLAUDE } from "./subjects/claude.ts";

let place: Place;
beforeAll(async () => {
  place = await Place.open(CLAUDE);
});
afterAll(() => place.close());

it("reach the model once, with the result of the running tool, and count as taken then", async () => {
  const taken: string[] = [];
  const words: GuidanceWords = { text: "TOLD-WORDS", taken: async () => void taken.push("TOLD-WORDS") };
  const { result } = await place.play(CLAUDE.agent(), {
    prompt: "[[tool:sleep 1; echo done]] Go",
    options: { permission_mode: "bypassPermissions" },
    guidance: { listen: (hear) => hear(words) },
  });
  expect(result.status).toBe("completed");
  expect(taken).toEqual(["TOLD-WORDS"]);
  const bodies = (await place.server.requests()).map(({ body }) => JSON.stringify(body.messages ?? []));
  expect(bodies.at(-1)?.split("TOLD-WORDS")).toHaveLength(2);
});
