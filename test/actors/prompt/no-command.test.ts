/** Text that is no command. */
import { describe, expect, test } from "vitest";
import { MAX_PROMPT_BYTES } from "../../../actors/prompt/interpret.ts";
import type { Block } from "../../../machines/exchange.ts";
import { ask, explained, prepared } from "./asked.ts";

describe("text that is no command", () => {
  test("C28: explains itself", async () => {
    const one = prepared();
    expect((await ask(one, "hello")).type).toBe("text");
    const { code, text } = await explained(one, "hello");
    expect(code).toBe("USER.PROMPT.NO_COMMAND");
    expect(text).toMatch(
      /^Troupe runs workflows: a prompt begins with \/ and the name of one\.\n\nCommands:\n- `\/broken/,
    );
  });

  test("C28: is the text of the default workflow, as it stands", async () => {
    const text = "don't --input=x=1 'quote\" k=v";
    expect(await ask(prepared(), text, { defaultWorkflow: "echo" })).toMatchObject({
      type: "text",
      otherwise: { type: "run", inputs: { text } },
    });
  });

  test("a default workflow that is not there or takes no text is explained", async () => {
    expect((await explained(prepared(), "hi", { defaultWorkflow: "gone" })).code).toBe(
      "USER.FACADE.WORKFLOW_NOT_FOUND",
    );
    expect((await explained(prepared(), "hi", { defaultWorkflow: "loose" })).code).toBe("USER.INPUT.INVALID_FORMAT");
  });

  test.each<[string, Block[]]>([
    ["no blocks", []],
    ["white space", [{ type: "text", text: " \n" }]],
  ])("C25: an empty prompt (%s) explains itself, whatever was interrupted", async (_, blocks) => {
    const asked = await ask(prepared(), blocks, { defaultWorkflow: "echo" });
    expect(asked).toMatchObject({ type: "explain", stopReason: "refusal", fault: { code: "USER.INPUT.EMPTY" } });
  });

  test("a reference alone is text", async () => {
    const link: Block = { type: "resource_link", name: "a", uri: "file:///a" };
    expect(await ask(prepared(), [link], { defaultWorkflow: "echo" })).toMatchObject({
      otherwise: { inputs: { text: "[a](file:///a)" } },
    });
  });

  test("too much text and blocks of other kinds are refused", async () => {
    expect((await explained(prepared(), `/echo ${"é".repeat(MAX_PROMPT_BYTES / 2)}`)).code).toBe(
      "USER.PROMPT.TOO_LARGE",
    );
    const image: Block = { type: "unknown", value: { type: "image" } };
    expect((await explained(prepared(), [image])).code).toBe("USER.PROMPT.UNSUPPORTED_BLOCK");
  });
});
