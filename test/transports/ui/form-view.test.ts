/** The form of a new run: what is typed is seen, and is lost only when the run has begun. */
import { expect, it } from "vitest";
import type { Troupe, WorkflowSummary } from "../../../actors/troupe.ts";
import { widthOf } from "../../../projections/terminal/width.ts";
import type { UiStage } from "../../../transports/ui/view.ts";
import { FormView } from "../../../transports/ui/views/form-view.ts";

const input = (name: string, more: object = {}) => ({ name, type: "string", required: true, validation: {}, ...more });
const settled = () => new Promise((resolve) => setImmediate(resolve));

function stage(inputs: object[], run: () => Promise<unknown> = () => new Promise(() => undefined)) {
  const did: string[] = [];
  const asked: unknown[] = [];
  const troupe = {
    run: (request: { inputs: unknown }) => {
      asked.push(request.inputs);
      return run();
    },
  };
  const stage = {
    back: () => did.push("back"),
    choose: (id: string) => did.push(`choose ${id}`),
    carrying: () => did.push("carrying"),
    doing: (work: Promise<unknown>) => void work.catch(({ message }: Error) => did.push(message)),
  } as unknown as UiStage;
  const workflow = { id: "demo", inputs } as unknown as WorkflowSummary;
  const form = new FormView(troupe as unknown as Troupe, workflow, stage, "/w");
  const press = async (...keys: string[]) => {
    for (const key of keys) form.press(key);
    await settled();
  };
  const shown = (width = 30, height = 9) => form.lines({ width, height, now: 0, colours: false });
  return { form, did, asked, press, shown };
}

it("I2 what was typed stays where the run is refused, and is sent again", async () => {
  const answers = [() => Promise.reject(new Error("no agent")), async () => ({ id: "r1", done: Promise.resolve() })];
  const { did, asked, press, shown } = stage([input("goal")], () => answers.shift()?.() ?? Promise.reject());
  await press(..."much", "enter");
  expect([did, shown()]).toEqual([["no agent"], ["❯ goal: much▏"]]);
  await press("!", "enter");
  expect(did.slice(1)).toEqual(["back", "choose r1", "carrying"]);
  expect(asked).toEqual([{ goal: "much" }, { goal: "much!" }]);
});

it("I2 begins one run, however often enter is pressed; who leaves meanwhile is not taken back twice", async () => {
  const started = Promise.withResolvers<unknown>();
  const { form, did, asked, press } = stage([], () => started.promise);
  await press("enter", "enter", "x", "escape");
  form.close();
  started.resolve({ id: "r1", done: Promise.resolve() });
  await settled();
  expect([asked.length, did]).toEqual([1, ["back", "choose r1", "carrying"]]);
});

it("I3 shows the end of what is typed, however long it is and however many lines it has", async () => {
  const { press, shown } = stage([input("goal", { description: "What is to be reached, and by when" }), input("more")]);
  await press(...`${"many words ".repeat(20)}\nEND`);
  expect(shown().join("\n")).toContain("    END▏");
  expect(shown(30, 3).join("\n")).toContain("END▏");
  for (const line of shown()) expect(widthOf(line)).toBeLessThanOrEqual(30);
  expect(shown(30, 40).join("\n")).toContain("    What is to be reached, and\n    by when");
});

it("tab goes on, tab with shift goes back", async () => {
  const { press, shown } = stage([input("one"), input("two")]);
  await press("tab");
  expect(shown().at(-1)).toBe("❯ two: ▏");
  await press("backtab");
  expect(shown()[0]).toBe("❯ one: ▏");
});

it("what is typed is mended where it is: arrows of a field with choices choose, of another one they go in its words", async () => {
  const choices = input("fast", { type: "boolean" });
  const { asked, press, shown } = stage([input("goal"), input("token"), choices]);
  await press(..."bad words", "home", "right", ..."l", "left", "ctrl-u", "end", "ctrl-w", ..."news");
  expect(shown()[0]).toBe("❯ goal: lad news▏");
  await press("tab", ..."abc", "left");
  expect(shown()[1]).toBe("❯ token: ••▏•");
  await press("tab", "right", "enter");
  expect(asked).toEqual([{ goal: "lad news", token: "abc", fast: "true" }]);
});

it("I3 shows the place where one types, also far before the end", async () => {
  const { press, shown } = stage([input("goal")]);
  await press(...`START ${"many words ".repeat(40)}`, "home");
  expect(shown(30, 4).join("\n")).toContain("    ▏START");
});
