/** Covers `stored.ts`: what a process that does not know a secret makes of its mark. */
import { describe, expect, it } from "vitest";
import { CLOSE, OPEN } from "../../../actors/masking/mark.ts";
import { Masking } from "../../../actors/masking/masking.ts";

const SECRET = "sk-canary-0123456789abcdef";
const knowing = () => new Masking([["env/KEY", SECRET]]);
const mark = (body: string) => `${OPEN}${body}${CLOSE}`;
const KEY = encodeURIComponent("env/KEY");

describe("a secret in stored state", () => {
  it("is a mark of its name, whole, and of which of its units where it is not", () => {
    const [text, odd] = [`a ${SECRET} b`, `${SECRET}`];
    expect(JSON.parse(knowing().hide({ text, odd }))).toEqual({
      text: `a ${mark(`${KEY}/0`)} b`,
      odd: mark(`${KEY}/0`),
    });
    const coloured = `${SECRET.slice(0, 4)}\u001b[1m${SECRET.slice(4)}`;
    expect(JSON.parse(knowing().hide({ text: coloured }))).toEqual({
      text: `${mark(`${KEY}/0:0-4`)}\u001b[1m${mark(`${KEY}/0:4-${SECRET.length}`)}`,
    });
    expect(knowing().reveal(knowing().hide({ text: coloured }))).toEqual({ text: coloured });
  });

  it("is hidden without the white space around it where it is short, and there again", () => {
    const mask = new Masking([["env/PIN", " ab1\n"]]);
    const name = encodeURIComponent("env/PIN");
    const state = { message: "is ab1.", inputs: { pin: " ab1\n" } };
    expect(JSON.parse(mask.hide(state))).toEqual({
      message: `is ${mark(`${name}/0:1-4`)}.`,
      inputs: { pin: mark(`${name}/0`) },
    });
    expect(mask.reveal(mask.hide(state))).toEqual(state);
  });

  it.each([
    ["short", "ab1", "zz9"],
    ["long", SECRET, "sk-canary-fedcba9876543210"],
    ["a number", "12345678", "87654321"],
  ])("keeps its value where its name gets another one: %s", (_, old, fresh) => {
    const mask = new Masking([["env/PIN", old]]);
    const was = mask.hide({ message: `was ${old}`, inputs: { pin: old, n: Number(old) || 0 } });
    mask.learn("env/PIN", fresh);
    const both = { message: `was ${old}, is ${fresh}`, inputs: { pin: fresh, n: Number(fresh) || 0 } };
    expect(mask.hide(both)).not.toContain(fresh);
    expect(mask.reveal(was)).toEqual({ message: `was ${old}`, inputs: { pin: old, n: Number(old) || 0 } });
    expect(mask.reveal(mask.hide(both))).toEqual(both);
    // A process that knows one of them goes on with that; to one that knows none, the name is missing.
    const other = new Masking([["env/PIN", fresh]]);
    expect(other.reveal(mask.hide({ message: `is ${fresh}` }))).toEqual({ message: `is ${fresh}` });
    const none = new Masking();
    expect(none.missing(JSON.stringify(none.reveal(mask.hide(both))))).toEqual(["env/PIN"]);
  });

  it("has the value that a person gives in its place", () => {
    const mask = new Masking([["input/t/token", SECRET]]);
    const was = mask.hide({ text: SECRET });
    mask.relearn("input/t/token", "sk-canary-fedcba9876543210");
    expect(mask.reveal(was)).toEqual({ text: "sk-canary-fedcba9876543210" });
  });

  it("is a number again where it was one; a text that ends like the mark of a number stays a text", () => {
    const mask = new Masking([["env/PIN", "12345678"]]);
    const name = encodeURIComponent("env/PIN");
    const state = { inputs: { pin: 12345678, other: 7 } };
    expect(JSON.parse(mask.hide(state))).toEqual({ inputs: { pin: mark(`${name}/n`), other: 7 } });
    expect(mask.reveal(mask.hide(state))).toEqual(state);
    const many = `${mark(`${name}/0`)} and ${mark(`${name}/n`)}`;
    const [first] = String(mask.reveal(JSON.stringify(many))).split(" and ");
    expect(first).toBe("12345678");
    const own = `x${OPEN}${name}/n${CLOSE}`;
    expect(mask.reveal(mask.hide({ text: own }))).toEqual({ text: own });
  });
});

describe("a process that does not know a secret", () => {
  const stored = () => knowing().hide({ text: `a ${SECRET} b`, plain: "c" });

  it("knows no name before it has met a mark, and then which is missing in a text", () => {
    const mask = new Masking();
    expect(mask.missing(`a ${mark(`${KEY}/0`)} b`)).toEqual([]);
    const { text, plain } = mask.reveal(stored()) as { text: string; plain: string };
    expect(mask.missing(text)).toEqual(["env/KEY"]);
    expect(mask.missing(`${text}${text}`)).toEqual(["env/KEY"]);
    expect(mask.missing(plain)).toEqual([]);
    // What a step writes by itself is no mark: it does not have the nonce.
    expect(mask.missing(`${mark(`${KEY}/0`)}${mark("")}${mark("x")}`)).toEqual([]);
  });

  it("shows it as a secret, writes the same mark again, and keeps what only looks like one (I2)", () => {
    const mask = new Masking();
    const state = mask.reveal(stored()) as { text: string };
    expect(mask.text(state.text)).toBe("a *** b");
    expect(mask.text(`own ${mark("x")} ${OPEN}`)).toBe(`own ${mark("x")} ${OPEN}`);
    expect(mask.hide(state)).toBe(stored());
    expect(knowing().reveal(mask.hide(state))).toEqual({ text: `a ${SECRET} b`, plain: "c" });
    const own = { text: `${state.text}${OPEN}${mark("y")}` };
    expect(knowing().reveal(mask.hide(own))).toEqual({ text: `a ${SECRET} b${OPEN}${mark("y")}` });
  });

  it("keeps the mark of a number, and a mark that nobody can read, as they are", () => {
    const pin = new Masking([["env/PIN", "12345678"]]).hide({ inputs: { pin: 12345678 } });
    const mask = new Masking();
    const state = mask.reveal(pin);
    expect(mask.hide(state)).toBe(pin);
    const broken = JSON.stringify({ text: mark("no/form/at all") });
    expect(mask.hide(mask.reveal(broken))).toBe(broken);
  });
});

describe("a short secret", () => {
  it("is hidden where it stands as an input, and in what people read, each time", () => {
    const mask = new Masking();
    mask.learn("input/pin", "ab");
    const hidden = mark(`${encodeURIComponent("input/pin")}/0`);
    expect(JSON.parse(mask.hide({ inputs: { pin: "ab" }, id: "ab", message: "ab or ab" }))).toEqual({
      ...{ inputs: { pin: hidden }, id: "ab" },
      message: `${hidden} or ${hidden}`,
    });
    expect(mask.reveal(mask.hide({ inputs: { pin: "ab" } }))).toEqual({ inputs: { pin: "ab" } });
  });
});
