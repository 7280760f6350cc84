import { beforeEach, describe, expect, test } from "vitest";
import { Talk } from "../../../projections/acp/talk.ts";
import type { View } from "../../../projections/acp/view.ts";

let talk: Talk;
let views: View[];
beforeEach(() => {
  talk = new Talk();
  views = [];
});
const said = (): string[] =>
  views.splice(0).map((view) => {
    const { content, messageId } = (view as { update: { content: { text: string }; messageId: string } }).update;
    return `${messageId}: ${content.text}`;
  });

describe("what we say is a paragraph of its own (I1)", () => {
  test("behind what a step has said, and not where nothing was", () => {
    talk.write("we", "first", views);
    expect(said()).toEqual(["we: first"]);
    talk.begin();
    talk.say("step", "a", views);
    talk.write("we", "note", views);
    expect(said()).toEqual(["step: a", "we: \n\nnote"]);
  });

  test("and so is what the next step says, but not the next message of the same one", () => {
    talk.say("r/a@1.0", "one", views);
    talk.say("r/a@1.2", " two", views);
    talk.say("r/b@1.0", "three", views);
    talk.say("r/b@1.0", " four", views);
    talk.write("we", "note", views, "between");
    talk.say("r/c@1.0", "five", views);
    talk.say("r/d@1.0", "", views);
    talk.say("r/d@1.0", "six", views);
    expect(said()).toEqual([
      ...["r/a@1.0: one", "r/a@1.2:  two", "r/b@1.0: \n\nthree", "r/b@1.0:  four"],
      ...["we: \n\nnote\n\n", "r/c@1.0: five", "r/d@1.0: six"],
    ]);
  });

  test("in the middle of a step it ends with a paragraph, and no second one follows", () => {
    talk.say("step", "a", views);
    talk.write("we", "one", views, "between");
    talk.write("we", "two", views, "between");
    talk.say("step", "b", views);
    talk.write("we", "three", views);
    talk.write("we", "four", views);
    expect(said()).toEqual(["step: a", "we: \n\none\n\n", "we: two\n\n", "step: b", "we: \n\nthree", "we: \n\nfour"]);
  });

  test("what cannot be seen in it is written out; what a step says stays as it is", () => {
    talk.say("step", "a\u202eb", views);
    talk.write("we", "c\u202ed", views);
    expect(said()).toEqual(["step: a\u202eb", "we: \n\nc\\u202ed"]);
  });

  test("the next turn begins with none", () => {
    talk.say("step", "a", views);
    talk.begin();
    talk.write("we", "b", views);
    expect(said()).toEqual(["step: a", "we: b"]);
  });

  test("nor where a form has begun the next turn: no words of a person part the two", () => {
    talk.ask("asks", "How many?", views);
    talk.begin(true);
    talk.ask("asks", "No number. How many?", views);
    talk.begin(true);
    talk.say("step", "", views);
    talk.say("step", "two", views);
    talk.say("step", " of them", views);
    talk.write("we", "all done", views, "between");
    talk.begin(true);
    talk.end("end", "done", views);
    expect(said()).toEqual([
      ...["asks: How many?", "asks: \n\nNo number. How many?", "step: \n\ntwo", "step:  of them"],
      ...["we: \n\nall done\n\n", "end: done"],
    ]);
  });
});

describe("a turn that was shown from its prompt on does not end without a word (I2)", () => {
  test("where nothing was said", () => {
    talk.begin();
    talk.end("end", "done", views);
    expect(said()).toEqual(["end: done"]);
    talk.end("end", "done", views);
    expect(said()).toEqual([]);
  });

  test("but where something was, though its reader has that already", () => {
    talk.begin();
    talk.say("step", "", views);
    talk.end("end", "done", views);
    expect(said()).toEqual([]);
  });

  test("nor is there a word for a turn whose beginning was not shown", () => {
    talk.end("end", "done", views);
    expect(said()).toEqual([]);
  });

  test("what we said counts", () => {
    talk.begin();
    talk.write("we", "a", views, "between");
    talk.end("end", "done", views);
    expect(said()).toEqual(["we: a\n\n"]);
  });
});

test("a turn is alive once a step has spoken or asked, and not by our words", () => {
  talk.begin();
  talk.write("we", "a", views);
  expect(talk.isAlive).toBe(false);
  talk.ask("step", "b?", views);
  expect([talk.isAlive, said()]).toEqual([true, ["we: a", "step: \n\nb?"]]);
  talk.begin();
  expect(talk.isAlive).toBe(false);
  talk.say("step", "c", views);
  expect(talk.isAlive).toBe(true);
});
