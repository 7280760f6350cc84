/** What becomes of words that are typed as an answer. */
import { Subject } from "rxjs";
import { expect, test } from "vitest";
import type { Frame, Question, RunRecord, Troupe } from "../../../actors/troupe.ts";
import type { UiStage } from "../../../transports/ui/view.ts";
import { AnswerView, type Drafts } from "../../../transports/ui/views/answer-view.ts";
import { Log, stepCompleted, stepStarted } from "../../projections/terminal/rows.ts";

const form = { message: "", fields: [] } as unknown as NonNullable<Question["form"]>;
const asks = (input: string, more: Partial<Question> = {}): RunRecord => ({
  ...{ id: "r1", session: "s1", workflow: "demo", cwd: "/w", status: "parked", exitCode: null, error: null },
  ...{ startedAt: 0, endedAt: null, firstSeq: 1, lastSeq: null, resumable: true, permissions: [] },
  questions: [{ input, run: "r1", step: "q", prompt: `${input}?`, said: "", ...more }],
});
const PLACE = { width: 60, height: 20, now: 0, colours: false };
const settled = () => new Promise((resolve) => setImmediate(resolve));

function stage(record: RunRecord, answer: (run: string, sent: { text: string }) => Promise<unknown>) {
  const said: string[] = [];
  const frames$ = new Subject<readonly Frame[]>();
  let isLeft = false;
  const world = { record, frames$, said, isLeft: () => isLeft };
  const troupe = {
    answer,
    status: async () => world.record,
    log: async () => ({ record, head: () => 0, log$: () => frames$ }),
  } as unknown as Troupe;
  const drafts: Drafts = new Map();
  const opened = (): AnswerView => {
    const view: AnswerView = new AnswerView(
      troupe,
      world.record,
      {
        back: () => {
          isLeft = true;
          view.close();
        },
        say: (text: string) => said.push(text),
        doing: (work: Promise<unknown>) => void work.catch(({ message }: Error) => said.push(message)),
        carrying: () => undefined,
        redraw: () => undefined,
      } as unknown as UiStage,
      drafts,
    );
    return view;
  };
  const view = opened();
  const type = async (words: string) => {
    for (const key of words) view.press(key);
    view.press("enter");
    await settled();
  };
  return { ...world, world, view, opened, type, shown: () => view.lines(PLACE).join("\n") };
}

test("I3 words that are refused stay, and can be sent again", async () => {
  const answers = [() => Promise.reject(new Error("it is busy")), async () => ({ done: new Promise(() => undefined) })];
  const { type, said, shown, isLeft } = stage(asks("one"), () => answers.shift()?.() ?? Promise.reject());
  await type("many words");
  expect([said, isLeft()]).toEqual([["it is busy"], false]);
  expect(shown()).toContain("> many words▏");
  await type("!");
  expect([said, isLeft()]).toEqual([["it is busy", "answered"], true]);
});

test("I3 words that were left for later stand there when their question is opened again, until they are sent", async () => {
  const { view, world, opened, isLeft } = stage(asks("one"), async () => ({ done: Promise.resolve() }));
  for (const key of [..."half", "escape"]) view.press(key);
  expect(isLeft()).toBe(true);
  world.record = asks("two");
  expect(opened().lines(PLACE).join("\n")).toContain("> ▏");
  world.record = asks("one");
  const again = opened();
  expect(again.lines(PLACE).join("\n")).toContain("> half▏");
  again.press("enter");
  await settled();
  expect(opened().lines(PLACE).join("\n")).toContain("> ▏");
});

test("a key that is pressed while an answer is on its way does nothing", async () => {
  const { view, type, shown } = stage(asks("one"), () => new Promise(() => undefined));
  await type("words");
  expect(view.press("q")).toBe(true);
  expect(shown()).toContain("> words▏");
});

test("the last answer of a form leaves it, however long the run goes on", async () => {
  const log = new Log();
  const done = new Promise(() => undefined);
  const { type, world, isLeft, frames$ } = stage(asks("one", { form }), async () => ({ done }));
  await type("1");
  world.record = { ...asks("one"), status: "running", questions: [] };
  frames$.next([log.row(stepCompleted("other"))]);
  await settled();
  expect(isLeft()).toBe(false);
  frames$.next([log.row(stepCompleted("q")), log.row(stepStarted("long"))]);
  await settled();
  expect(isLeft()).toBe(true);
});

test("the next question of a form is asked in its place", async () => {
  const { type, world, shown, isLeft } = stage(asks("one", { form }), async () => ({ done: Promise.resolve() }));
  world.record = asks("two", { form });
  await type("1");
  expect([isLeft(), shown().includes("two?"), shown().includes("> ▏")]).toEqual([false, true, true]);
});

test("a question that is longer than the terminal can be read from its beginning, and typing goes back to the words", () => {
  const prompt = Array.from({ length: 60 }, (_, at) => `line ${at}.`).join("\n");
  const { view, shown } = stage(asks("one", { prompt }), () => new Promise(() => undefined));
  expect([shown().includes("line 0."), shown().includes("> ▏")]).toEqual([false, true]);
  for (let page = 0; page < 4; page++) view.press("pageup");
  expect([shown().includes("line 0."), shown().includes("> ▏")]).toEqual([true, false]);
  expect([view.keys.map(([key]) => key), view.right()]).toEqual([
    ["enter", "↑↓", "empty", "esc"],
    [expect.stringMatching(/^line 1 of 6\d$/)],
  ]);
  view.press("pagedown");
  expect(shown()).toContain("line 20.");
  view.press("x");
  expect(shown()).toContain("> x▏");
});

test("words are mended where they are, and the place where one types is seen", async () => {
  const texts: unknown[] = [];
  const { view, shown } = stage(asks("one"), async (_, { text }) => ({ done: Promise.resolve(texts.push(text)) }));
  const press = (...keys: string[]) => {
    for (const key of keys) view.press(key);
  };
  press(..."one three", "left", "left", "left", "left", "left", ..."two ", "home", "end", "ctrl-w", ..."3", "home");
  expect(shown()).toContain("> ▏one two 3");
  press("end", ..."\nx".repeat(30));
  expect(shown()).not.toContain("one two");
  press("home");
  expect(shown()).toContain("> ▏one two 3");
  press("end", "ctrl-u", ..."anew", "enter");
  await settled();
  expect(texts).toEqual(["anew"]);
});

test("I1 a decision is read page by page, and none of it is jumped over", () => {
  const message = Array.from({ length: 50 }, (_, at) => `line ${at}.`).join("\n");
  const options = [{ id: "yes", name: "Yes", kind: "allow_once" }];
  const permissions = [{ permission: "p", title: "May it?", message, options }] as unknown as RunRecord["permissions"];
  const { view, said, shown, isLeft } = stage({ ...asks("one"), questions: [], permissions }, async () => undefined);
  shown();
  for (const key of ["end", "G", "1", " ", "pagedown", "1"]) view.press(key);
  expect([said.length, isLeft()]).toEqual([1, true]);
});
