/** The permission questions of the real Claude Code, through the provider alone. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ToolAnswer, ToolQuestion } from "../../actors/agents/agent.ts";
import { claude } from "../../actors/agents/claude/claude.ts";
import { type Over, Place } from "./place.ts";
import { CLAUDE } from "./subjects/claude.ts";

let place: Place;
beforeAll(async () => {
  place = await Place.open(CLAUDE);
});
afterAll(() => place.close());
beforeEach(() => place.server.reset());

async function play(answer: ToolAnswer, over: Over) {
  const asked: ToolQuestion[] = [];
  const ask = async (question: ToolQuestion) => {
    asked.push(question);
    return answer;
  };
  return { asked, ...(await place.play(claude(), { ask, ...over })) };
}
const no = (abort: boolean): ToolAnswer => ({ allowed: false, message: "The user said no.", abort });
const touch = (file: string): ToolQuestion => ({
  name: "Bash",
  kind: "execute",
  title: `touch ${file}`,
  input: { command: `touch ${file}` },
});

it("an allowed tool runs exactly as the question showed it", async () => {
  const { asked, result, left } = await play({ allowed: true }, { prompt: "[[tool:touch yes.txt]] Run it" });
  expect(asked).toEqual([touch("yes.txt")]);
  expect(existsSync(join(place.cwd, "yes.txt"))).toBe(true);
  expect([result.status, left]).toEqual(["completed", 0]);
});

it("the agent hears that a tool was refused, and continues", async () => {
  const { asked, heard, result } = await play(no(false), { prompt: "[[tool:touch no.txt]] Run it" });
  expect(asked).toEqual([touch("no.txt")]);
  expect(existsSync(join(place.cwd, "no.txt"))).toBe(false);
  expect(result).toMatchObject({ status: "completed", text: "The tool returned: The user said no.. All done." });
  // A person who said no needs no advice on how to allow the tool.
  expect(heard.filter(({ type }) => type === "notice" || type === "unknown")).toEqual([]);
});

it("a refusal that ends the agent ends it at once", async () => {
  const { asked, result, left } = await play(no(true), { prompt: "[[tool:touch no.txt]] Run it" });
  expect(asked).toHaveLength(1);
  expect(existsSync(join(place.cwd, "no.txt"))).toBe(false);
  expect(result).toMatchObject({ status: "failed", class: "cut" });
  expect([(await place.server.requests()).length, left]).toEqual([1, 0]);
});

it("an abort while the question is open ends everything", async () => {
  const controller = Promise.withResolvers<void>();
  const ask = () => {
    controller.resolve();
    return new Promise<ToolAnswer>(() => undefined);
  };
  const { result, left } = await place.play(claude(), {
    ask,
    prompt: "[[tool:touch no.txt]] Run it",
    abortOn: controller.promise,
  });
  expect(result).toMatchObject({ status: "failed", class: "cut" });
  expect([existsSync(join(place.cwd, "no.txt")), left]).toEqual([false, 0]);
});
