import { describe, expect, it } from "vitest";
import {
  interruptedLine,
  parkedLines,
  type QuestionOptions,
  type QuestionView,
  questionLines,
  questionWord,
} from "../../../projections/terminal/question.ts";

const plain = { colours: false, columns: null, words: true };
const talk: QuestionView = { input: "i1", step: "chat", prompt: "", said: "Who are you?\nSay it." };
const asked: QuestionView = { ...talk, prompt: "Your name?\u001b[2J\u202e" };
const HEAD = '? step "chat" waits for your answer (an empty line ends the conversation)';

describe("a parked run's question", () => {
  it.each<[string, QuestionView, Partial<QuestionOptions>, string[]]>([
    ["has its prompt, without anything invisible", asked, {}, [HEAD, "  Your name?\\u001b[2J\\u202e"]],
    ["keeps its prompt where words were seen", asked, { words: false }, [HEAD, "  Your name?\\u001b[2J\\u202e"]],
    ["has the words before it without a prompt", talk, {}, [HEAD, "  Who are you?", "  Say it."]],
    ["leaves out words that were seen", talk, { words: false }, [HEAD]],
    ["is wrapped, never cut (I1)", talk, { columns: 10 }, [HEAD, "  Who are", "  you?", "  Say it."]],
    ["may have no words at all", { ...talk, said: "" }, {}, [HEAD]],
  ])("%s", (_, question, options, lines) => {
    expect(questionLines(question, { ...plain, ...options })).toEqual(lines);
  });

  it("says how to answer it from elsewhere", () => {
    const other = { ...talk, input: "i2", step: "each@2/0.b\u001b[2J" };
    expect(parkedLines("r1", [talk, other], { ...plain, words: false })).toEqual([
      '? parked: step "chat" waits for an answer',
      '? parked: step "each@2[1]/b" waits for an answer',
      '  troupe resume r1 --answer "…"',
    ]);
    expect(parkedLines("r1", [talk], plain)).toEqual([
      '? parked: step "chat" waits for an answer',
      "  Who are you?",
      "  Say it.",
      '  troupe resume r1 --answer "…"',
    ]);
    expect(interruptedLine("r1", plain)).toBe("? interrupted: a step waits to be resumed · troupe resume r1");
  });

  it("names the secrets that are given again with an answer", () => {
    const secrets = ["api_token", "password"];
    const how = "troupe resume r1 -i api_token=@- -i password=@-";
    expect(parkedLines("r1", [talk], { ...plain, secrets }).at(-1)).toBe(`  ${how} --answer "…"`);
    expect(interruptedLine("r1", { ...plain, secrets })).toBe(`? interrupted: a step waits to be resumed · ${how}`);
    expect(interruptedLine("r1", { ...plain, secrets, budget: "tokens=30" })).toBe(
      `? interrupted: a step has stopped at a budget · ${how} --budget tokens=30`,
    );
  });

  it.each([
    [asked, "Your name?\\u202e"],
    [talk, "Who are you? Say it."],
    [{ ...talk, said: " \n" }, "the next words"],
    [{ ...talk, said: "x".repeat(100) }, `${"x".repeat(59)}…`],
  ])("is one line in a table", (question, word) => {
    expect(questionWord(question)).toBe(word);
  });
});
