import { describe, expect, test } from "vitest";
import type { Block } from "../../../machines/exchange.ts";
import { fillArguments, readPrompt, writtenOut } from "../../../machines/prompt/prompt-text.ts";
import { parseCommand } from "../../../machines/prompt/slash-command.ts";

const text = (value: string): Block => ({ type: "text", text: value });
const link = (name: string, uri = `file:///w/${name}`): Block => ({ type: "resource_link", name, uri });

function written(...blocks: Block[]): string {
  const read = readPrompt(blocks);
  if (!read.ok) throw new Error(read.fault.message);
  return writtenOut(read);
}

function argumentsOf(...blocks: Block[]) {
  const read = readPrompt(blocks);
  if (!read.ok) throw new Error(read.fault.message);
  const parsed = parseCommand(read.text);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return fillArguments(parsed.arguments, read.links);
}

describe("readPrompt", () => {
  test("references stay in their places, apart from the words before them", () => {
    expect(written(text("/x look at "), link("a.ts"), text(" and"), link("b.ts"))).toBe(
      "/x look at [a.ts](file:///w/a.ts) and [b.ts](file:///w/b.ts)",
    );
    expect(written(link("a.ts"))).toBe("[a.ts](file:///w/a.ts)");
  });

  test("I1: a reference is one word of a command, whatever it holds", () => {
    const odd = link(`it's "my" file=1 --input=x`, "file:///w/it's a b.ts");
    expect(argumentsOf(text("/x file="), odd, text(" mode=full "), link("b.ts"))).toEqual([
      { name: "file", value: `[it's "my" file=1 --input=x](file:///w/it's%20a%20b.ts)` },
      { name: "mode", value: "full" },
      { text: "[b.ts](file:///w/b.ts)" },
    ]);
  });

  test("I1: a reference cannot end its Markdown early or hide in it", () => {
    expect(written(link("a](evil)\u202e[", "x) [b](y\n"))).toBe("[a(evil)\\u202e](x%29%20[b]%28y%0A)");
  });

  test("what stands before a command stands behind it (I2)", () => {
    const file: Block = { type: "resource", uri: "file:///w/a.ts", text: "/other" };
    expect(written(link("a.ts"), text("/x look"))).toBe("/x look [a.ts](file:///w/a.ts)");
    expect(written(text(" "), file, link("b"), text("\n/x what="), text("now"))).toBe(
      "\n/x what=now  [a.ts](file:///w/a.ts)\n```\n/other\n```\n [b](file:///w/b)",
    );
    expect(argumentsOf(link("a.ts"), text("/x what='a b'"))).toEqual([
      { name: "what", value: "a b" },
      { text: "[a.ts](file:///w/a.ts)" },
    ]);
    expect(argumentsOf(link("a.ts"), text("/x what="))).toEqual([{ name: "what", value: "[a.ts](file:///w/a.ts)" }]);
  });

  test("no command comes out of what is attached, and words without one stay in their places (I2)", () => {
    const file: Block = { type: "resource", uri: "a", text: "/other" };
    expect(written(file, text("look"))).toBe("[a](a)\n```\n/other\n```\nlook");
    expect(written(link("a"), text("look at"), text(" /x"))).toBe("[a](file:///w/a)look at /x");
    for (const path of ["/etc/hosts", "/ ", " /x", "\n/x"])
      expect(written(text("look at "), link("a"), text(path))).toBe(`look at [a](file:///w/a)${path}`);
  });

  test("a text before the words is free text of their command, whatever it holds (I2)", () => {
    const shared = text(`Sharing the file: --x "k=v\n`);
    expect(argumentsOf(shared, link("a"), text("/x what=b"))).toEqual([
      { name: "what", value: "b" },
      { text: `Sharing the file: --x "k=v [a](file:///w/a)` },
    ]);
    expect(argumentsOf(shared, text(" "), text("/x what="))).toEqual([
      { name: "what", value: `Sharing the file: --x "k=v` },
    ]);
    expect(argumentsOf(text("/x a"), text("/y b"))).toEqual([{ text: "a\n/y b" }]);
    expect(written(shared, text("/x"))).toBe(`/x Sharing the file: --x "k=v`);
  });

  test("texts that follow each other are words of their own (I3)", () => {
    expect(written(text("Sharing the file: a.ts"), text("What is it?"))).toBe("Sharing the file: a.ts\nWhat is it?");
    expect(written(text("/x"), text("now"))).toBe("/x\nnow");
    expect(written(text("a "), text("b\n"), text("c"), text(""), text(" d"))).toBe("a b\nc d");
    expect(written(text("/x what="), text("now"))).toBe("/x what=now");
  });

  test("the mark itself in a text is no reference", () => {
    expect(written(text("a\uFFFCb "), link("c"))).toBe("a\uFFFDb [c](file:///w/c)");
  });

  test("images and audio become references; several in a row are one argument", () => {
    const image: Block = { type: "image", id: "1f", mimeType: "image/png", bytes: 1 };
    const audio: Block = { type: "audio", id: "2f", mimeType: "audio/wav", bytes: 1 };
    expect(written(text("see"), image, audio, text(" and"), image)).toBe(
      "see [image](attachment:1f)[audio](attachment:2f) and [image](attachment:1f)",
    );
  });

  test("the text of a file stands behind its address, in a fence that nothing in it ends", () => {
    const file = (uri: string, value: string): Block => ({ type: "resource", uri, text: value });
    expect(written(text("see"), file("file:///w/a b.ts", "one"), text("now"))).toBe(
      "see [a b.ts](file:///w/a%20b.ts)\n```\none\n```\nnow",
    );
    expect(written(file("file:///w/", "``x``"))).toBe("[file](file:///w/)\n```\n``x``\n```\n");
    expect(written(file("a", "```` ``` x"), link("b"))).toBe("[a](a)\n`````\n```` ``` x\n`````\n [b](file:///w/b)");
    expect(written(text("("), file("a", ""))).toBe("([a](a)\n```\n\n```\n");
  });

  test("a link without a name is one to a file, and spaces are not doubled", () => {
    expect(written(text("see\n"), link("[]", "u"), text(" a"))).toBe("see\n[file](u) a");
    expect(written({ type: "image", id: "1f", mimeType: "image/png", bytes: 1 })).toBe("[image](attachment:1f)");
  });

  test.each<[unknown, string]>([
    [{ type: "x".repeat(41) }, ` of type "${"x".repeat(40)}"`],
    [{ type: 7 }, ""],
    [{}, ""],
    [null, ""],
    ["text", ""],
    [Object.assign([], { type: "list" }), ""],
  ])("the refusal of %j names the type it has", (value, kind) => {
    const read = readPrompt([{ type: "unknown", value } as Block]);
    expect(read.ok ? null : read.fault.message.split(": a block")[1]).toBe(`${kind} cannot be passed to a workflow`);
  });

  test.each<Block>([{ type: "terminal", terminalId: "t" } as unknown as Block, { type: "diff" } as unknown as Block])(
    "a block of type $type is refused",
    (block) => {
      expect(readPrompt([block])).toMatchObject({ fault: { message: expect.stringContaining(`"${block.type}"`) } });
    },
  );

  test("the bytes of a file are refused with its name, and how it can be given", () => {
    const said = (more: object): string => {
      const read = readPrompt([{ type: "unknown", value: { type: "resource", what: "bytes", ...more } } as Block]);
      return read.ok ? "" : read.fault.message;
    };
    const rest = ", which no workflow takes: attach it as text, link it, or write its path";
    expect(said({ uri: "file:///w/a.bin" })).toBe(`the prompt holds the bytes of "a.bin"${rest}`);
    expect(said({})).toBe(`the prompt holds the bytes of a file${rest}`);
  });

  test("blocks of other kinds are refused by name", () => {
    const image: Block = { type: "unknown", value: { type: "image", data: "" } };
    expect(readPrompt([text("/x"), image])).toEqual({
      ok: false,
      fault: {
        code: "USER.PROMPT.UNSUPPORTED_BLOCK",
        message:
          'a prompt may hold text, links to files, texts of files, images and audio: a block of type "image" cannot be passed to a workflow',
      },
    });
  });
});
