/** Rows and stored state without secrets, short ones too. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLOSE, OPEN } from "../../../actors/masking/mark.ts";
import { Masking, NO_MASKING } from "../../../actors/masking/masking.ts";
import type { Row } from "../../../machines/exchange.ts";
import { cut, masking, text } from "./streams.ts";
import { SECRETS } from "./support.ts";

describe("rows", () => {
  const row = (payload: object): Row => ({ type: "notice", payload }) as unknown as Row;

  it("T13 masks every text of a payload, its keys below free fields, and numbers", () => {
    const mask = masking();
    mask.learn("input/r/pin", 12_345_678);
    const { payload } = mask.row(
      row({
        severity: "info",
        message: `a ${SECRETS.plain}`,
        input: { [SECRETS.plain]: [SECRETS.odd, 12_345_678], n: 1 },
        code: SECRETS.plain,
      }),
    );
    expect(payload).toEqual({
      severity: "info",
      message: "a ***",
      input: { "***": ["***", "***"], n: 1 },
      code: SECRETS.plain,
    });
  });

  it("masks inputs with a secret's name, however short they are", () => {
    const started = {
      type: "run.started",
      payload: { workflow: "w", plan: [], inputs: { pin: 12, userToken: "ab", other: "ab" } },
    };
    expect(masking().row(started as Row).payload).toEqual({
      workflow: "w",
      plan: [],
      inputs: { pin: "***", userToken: "***", other: "ab" },
    });
  });

  it("I3 is the same object where nothing is secret", () => {
    const one = row({ severity: "info", message: "nothing" });
    expect(new Masking().row(one)).toBe(one);
    expect(masking().row(one)).toBe(one);
  });
});

describe("short secrets", () => {
  const short = () => {
    const mask = masking();
    mask.learn("input/r/code", "ab");
    mask.learn("input/r/pin", 12);
    return mask;
  };
  it("I4 are hidden as words", () => {
    expect(short().text("ab, table, ab_c, 12 of 123: (ab)12")).toBe("***, table, ab_c, *** of 123: (***)***");
  });
  it("I4 are hidden in text of a row; not in ids, numbers and keys", () => {
    const row = { type: "tool.call", payload: { call: "ab", title: "run ab", input: { ab: "ab", id: "12", n: 12 } } };
    expect(short().row(row as unknown as Row).payload).toEqual({
      call: "ab",
      title: "run ***",
      input: { ab: "ab", id: "12", n: 12 },
    });
  });
  it("words I2 are hidden alike however a text is cut", () => {
    const piece = fc.constantFrom("ab", "a", "b", "12", "1", " ", "_", "é", "\u{1d7d9}", SECRETS.plain, "-", "\n");
    const mask = short();
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(4), { minLength: 1 }), (pieces, sizes) => {
        expect(cut(mask, pieces.join(""), sizes)).toBe(mask.text(pieces.join("")));
      }),
      { numRuns: 2_000 },
    );
  });
  it("words I2 hold back only what may become one", () => {
    const stream = short().stream();
    expect([stream.push("tab a"), stream.push("bc "), stream.push("1"), stream.end()]).toEqual([
      "tab ",
      "abc ",
      "",
      "1",
    ]);
  });
  it("continue when one is learned in the middle of a text", () => {
    const mask = new Masking();
    const stream = mask.stream();
    const first = stream.push("is a");
    mask.learn("input/r/code", "xy");
    expect([first, stream.push(" xy, xyz"), stream.end()]).toEqual(["is a", " ***, xyz", ""]);
  });
});

describe("stored state", () => {
  it("I2 comes back as it was, and holds no secret meanwhile", () => {
    const mask = masking();
    fc.assert(
      fc.property(text, fc.dictionary(fc.string({ maxLength: 4 }), text), (one, record) => {
        const state = { context: { states: { a: { Output: one } }, inputs: record } };
        const json = mask.hide(state);
        expect(mask.reveal(json)).toEqual(JSON.parse(JSON.stringify(state)));
        for (const value of Object.values(SECRETS)) expect(json).not.toContain(JSON.stringify(value).slice(1, -1));
      }),
      { numRuns: 2_000 },
    );
  });

  it("hides short values and numbers where they are inputs", () => {
    const mask = new Masking();
    mask.learn("input/r/pin", 1234);
    mask.learn("input/r/code", "ab");
    const state = { inputs: { pin: 1234, code: "ab" }, states: { a: { Output: "ab, cab", id: "ab", ExitCode: 1234 } } };
    const json = mask.hide(state);
    expect(JSON.parse(json)).toEqual({
      inputs: { pin: `${OPEN}input%2Fr%2Fpin/n${CLOSE}`, code: `${OPEN}input%2Fr%2Fcode/0${CLOSE}` },
      states: { a: { Output: `${OPEN}input%2Fr%2Fcode/0${CLOSE}, cab`, id: "ab", ExitCode: 1234 } },
    });
    expect(mask.reveal(json)).toEqual(state);
  });

  it("leaves what the machines read alone, whatever word is secret", () => {
    const mask = new Masking([["env/WEAK_TOKEN", "running"]]);
    const snap = { v: "running", value: "running", status: "running", context: { node: { type: "running" } } };
    expect(JSON.parse(mask.hide(snap))).toEqual(snap);
  });

  it("mark I2 keeps a mark whose secret is not known, and gives the value to who knows it", () => {
    const json = masking().hide({ states: { a: { Output: `x ${SECRETS.plain} y` } } });
    const other = new Masking();
    const revealed = other.reveal(json) as { states: { a: { Output: string } } };
    expect(revealed.states.a.Output).not.toContain(SECRETS.plain);
    expect(other.text(revealed.states.a.Output)).toBe("x *** y");
    expect(other.hide(revealed)).toBe(json);
    expect(masking().reveal(other.hide(revealed))).toEqual({ states: { a: { Output: `x ${SECRETS.plain} y` } } });
  });

  it("mark I1 a mark that a step writes is text, in every process", () => {
    const forged = { states: { a: { Output: `${OPEN}env%2Fplain/0${CLOSE}` } } };
    for (const mask of [masking(), new Masking()]) {
      const json = mask.hide(forged);
      expect(masking().reveal(json)).toEqual(forged);
      expect(new Masking().reveal(json)).toEqual(forged);
    }
  });
});

it("without the masker the secret is there", () => {
  expect(NO_MASKING.text(SECRETS.plain)).toBe(SECRETS.plain);
  expect(NO_MASKING.hide({ inputs: { token: SECRETS.plain } })).toContain(SECRETS.plain);
});
