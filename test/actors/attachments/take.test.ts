import { describe, expect, it } from "vitest";
import type { PromptBlock } from "../../../actors/api/facade.ts";
import { takenOf } from "../../../actors/attachments/take.ts";
import { LIMITS } from "../../../actors/base/limits.ts";
import { Masking } from "../../../actors/masking/masking.ts";
import { audio, image } from "../../support/pictures.ts";

const SECRET = "s3cret-value-of-some-length";
const SIZE = Buffer.from(image.data, "base64").length;
const rules = { limits: () => LIMITS, mask: new Masking([["KEY", SECRET]]) };
const of = (blocks: PromptBlock[], attachmentBytes = LIMITS.attachmentBytes) =>
  takenOf(blocks, { ...rules, limits: () => ({ ...LIMITS, attachmentBytes }) });
const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64");

describe("what a prompt brings along", () => {
  it("is named by its digest; the bytes stand apart (I2)", () => {
    const words = { type: "text", text: "x" } as const;
    const { blocks, pieces, fault } = of([words, image, { ...audio, mimeType: "Audio/WAV; codecs=1" }, image]);
    expect(fault).toBeNull();
    const attached = { type: "image", id: expect.stringMatching(/^[0-9a-f]{32}$/), mimeType: "image/png", bytes: SIZE };
    expect(blocks).toEqual([words, attached, expect.objectContaining({ mimeType: "audio/wav" }), attached]);
    expect(blocks[1]).toEqual(blocks[3]);
    expect(pieces.map(({ data }) => data.toString("base64"))).toEqual([image.data, audio.data, image.data]);
  });

  it.each([
    ["image/jpeg", "\xff\xd8\xff\xe0"],
    ["image/gif", "GIF89a"],
    ["image/webp", "RIFF\0\0\0\0WEBPVP8 "],
  ])("may be %s (I1)", (mimeType, bytes) => {
    expect(of([{ type: "image", mimeType, data: base64(bytes) }]).fault).toBeNull();
    expect(of([{ type: "image", mimeType, data: base64(`-${bytes}`) }]).fault?.message).toContain(`no ${mimeType}`);
  });

  it.each([
    ["a kind that models do not know", { ...image, mimeType: "image/svg+xml" }, "UNSUPPORTED_BLOCK"],
    ["a name of an object's own", { ...image, mimeType: "constructor" }, "UNSUPPORTED_BLOCK"],
    ["an image for a sound", { ...audio, mimeType: "image/png" }, "UNSUPPORTED_BLOCK"],
    ["nothing", { ...audio, data: "" }, "UNSUPPORTED_BLOCK"],
    ["no base64", { ...audio, data: `data:audio/wav;base64,${audio.data}` }, "UNSUPPORTED_BLOCK"],
    ["a secret (I3)", { ...audio, data: base64(`RIFF${SECRET}`) }, "UNSUPPORTED_BLOCK"],
  ] as [string, PromptBlock, string][])("may not be %s (I1)", (_, block, code) => {
    const taken = of([block]);
    expect(taken).toMatchObject({ pieces: [], fault: { code: `USER.PROMPT.${code}` } });
    expect(taken.blocks).toEqual([{ type: "unknown", value: { type: block.type } }]);
  });

  const JPEG = "\xff\xd8\xff\xfb\xef\xbe\xff";
  it.each([
    ["without padding", base64(JPEG).replace(/=+$/, "")],
    ["as URLs have it", Buffer.from(JPEG, "latin1").toString("base64url")],
    ["in lines", `${base64(JPEG).replace(/.{4}/g, "$&\r\n")}\n`],
  ])("may be in base64 %s, and a JPEG by its other name (I1)", (_, data) => {
    const { pieces, fault } = of([{ type: "image", mimeType: "image/jpg", data }]);
    expect(fault).toBeNull();
    expect(pieces).toMatchObject([{ attached: { mimeType: "image/jpeg" } }]);
    expect(pieces[0]?.data.toString("latin1")).toBe(JPEG);
  });

  it.each([
    ["data:image/png;base64,iVBORw0KGgo=", "whose data is no base64"],
    ["iVBORw0KGgoAA", "whose data is no base64"],
    ["", "without data"],
    [base64("GIF89a"), "that is no image/png, but image/gif"],
    [base64("text"), "that is no image/png"],
  ])("is told what is wrong with it: %s %s (I1)", (data, words) => {
    expect(of([{ ...image, data }]).fault?.message).toBe(`the prompt holds an image ${words}`);
  });

  it("may be one that holds a short secret by chance (I3)", () => {
    const mask = new Masking([["KEY", "42"]]);
    expect(mask.text("-42-")).toBe("-***-");
    expect(takenOf([{ ...audio, data: base64("RIFF-42-") }], { ...rules, mask }).fault).toBeNull();
  });

  it("has a largest size and a largest number (I1)", () => {
    expect(of([image], SIZE).fault).toBeNull();
    expect(of([image], SIZE - 1).fault?.code).toBe("USER.PROMPT.TOO_LARGE");
    const many = (count: number) => of(Array.from({ length: count }, () => image)).fault?.code;
    expect([many(16), many(17)]).toEqual([undefined, "USER.PROMPT.TOO_LARGE"]);
  });
});
