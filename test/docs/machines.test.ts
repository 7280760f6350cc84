/** The generated configs open as they are: each makes a machine with the states of the real one. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AnyStateMachine, createMachine } from "xstate";
import { walkedStates } from "../support/config-walk.ts";
import { MACHINES } from "../support/stage.ts";

const FOLDER = join(import.meta.dirname, "../../docs/machines");
const states = (node: AnyStateMachine["root"]): string[] => [node.id, ...Object.values(node.states).flatMap(states)];

describe("docs/machines", () => {
  it.each(Object.entries(MACHINES))("%s.json can be pasted into createMachine()", (noun, machine) => {
    const pasted = createMachine(JSON.parse(readFileSync(join(FOLDER, `${noun}.json`), "utf8")));
    expect(states(pasted.root)).toEqual(states(machine.root));
    expect([...pasted.events].sort()).toEqual([...machine.events].sort());
  });

  it.each(Object.keys(MACHINES))("%s.json can be walked: there is a way to every state", (noun) => {
    const { all, reached } = walkedStates(JSON.parse(readFileSync(join(FOLDER, `${noun}.json`), "utf8")));
    expect(all.filter((id) => !reached.has(id))).toEqual([]);
  });

  it("has a chart beside each config", () => {
    const nouns = (ending: string) =>
      readdirSync(FOLDER)
        .filter((name) => name.endsWith(ending))
        .map((name) => name.split(".")[0]);
    expect(nouns(".mmd").filter((noun) => noun !== "step-happy")).toEqual(nouns(".json"));
    expect(nouns(".json")).toEqual(expect.arrayContaining(Object.keys(MACHINES)));
  });

  it("has a chart of a step when all goes well: whole from start to end, without a mishap", () => {
    const text = readFileSync(join(FOLDER, "step-happy.mmd"), "utf8");
    const arrows = [...text.matchAll(/^ +(\S+) --> (\S+)/gm)].map(([, from = "", to = ""]) => [from, to] as const);
    const ends = new Set(["ended"]);
    for (const _ of arrows)
      for (const [from, to] of arrows) {
        const inner = to === "attempting" || to === "closing" ? `${to}_choosing` : to;
        if (ends.has(inner)) ends.add(from);
      }
    const drawn = [...text.matchAll(/^ +state ".*" as (\w+)$/gm)].map(([, name]) => name ?? "");
    expect(drawn.filter((name) => !ends.has(name))).toEqual([]);
    expect(drawn).toEqual(expect.arrayContaining(["attempting_working", "attempting_containing", "judging", "ended"]));
    expect(text).not.toMatch(/failed|cancel|resume|owner\.lost|denial|interrupted/);
  });
});
