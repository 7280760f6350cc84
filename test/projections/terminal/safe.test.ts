import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SafeText, safeConsent, safeJson, safeLine, safeText, safeWord } from "../../../projections/terminal/safe.ts";

const ESC = "\u001b";
const ST = `${ESC}\\`;

/** What comes in, and what of it is shown. T12. */
const CORPUS: readonly [what: string, text: string, shown: string][] = [
  ["plain text", "a b\tc\nd é 漢 👩‍💻", "a b\tc\nd é 漢 👩‍💻"],
  ["colour", `${ESC}[31mred${ESC}[0m`, "red"],
  ["colour with colons", `${ESC}[38:2::1:2:3mx`, "x"],
  ["clear screen", `a${ESC}[2Jb`, "ab"],
  ["cursor home", `a${ESC}[Hb`, "ab"],
  ["cursor up", `a${ESC}[1Ab`, "ab"],
  ["erase line", `a${ESC}[2Kb`, "ab"],
  ["private mode", `a${ESC}[?1049hb`, "ab"],
  ["intermediate byte", `a${ESC}[1 qb`, "ab"],
  ["scroll region", `a${ESC}[1;2rb`, "ab"],
  ["insert lines", `a${ESC}[5Lb`, "ab"],
  ["device status", `a${ESC}[6nb`, "ab"],
  ["window operations", `a${ESC}[21tb`, "ab"],
  ["bracketed paste", `a${ESC}[200~b`, "ab"],
  ["mouse on", `a${ESC}[?1000hb`, "ab"],
  ["save cursor", `a${ESC}7b${ESC}8c`, "abc"],
  ["reset", `a${ESC}cb`, "ab"],
  ["charset", `a${ESC}(0b`, "ab"],
  ["two intermediates", `a${ESC}$(Cb`, "ab"],
  ["line attributes", `a${ESC}#8b`, "ab"],
  ["title, BEL", `a${ESC}]0;owned\u0007b`, "ab"],
  ["title, ST", `a${ESC}]2;owned${ST}b`, "ab"],
  ["clipboard", `a${ESC}]52;c;ZXZpbA==\u0007b`, "ab"],
  ["link", `${ESC}]8;;http://x${ST}click${ESC}]8;;${ST}`, "click"],
  ["colour table", `a${ESC}]4;1;rgb:0/0/0${ST}b`, "ab"],
  ["working directory", `a${ESC}]7;file://h/x\u0007b`, "ab"],
  ["notification", `a${ESC}]777;notify;t;b\u0007c`, "ac"],
  ["DCS", `a${ESC}P1$qm${ST}b`, "ab"],
  ["DCS with BEL in it", `a${ESC}Pq#0\u0007b`, "ab"],
  ["APC", `a${ESC}_Gf=100;AAAA${ST}b`, "ab"],
  ["PM", `a${ESC}^secret${ST}b`, "ab"],
  ["SOS", `a${ESC}Xsecret${ST}b`, "ab"],
  ["C1 CSI", "a\u009b31mb", "ab"],
  ["C1 OSC, C1 ST", "a\u009d0;t\u009cb", "ab"],
  ["C1 DCS", "a\u0090q\u009cb", "ab"],
  ["C1 APC", "a\u009fG\u009cb", "ab"],
  ["C1 PM", "a\u009ex\u009cb", "ab"],
  ["C1 SOS", "a\u0098x\u009cb", "ab"],
  ["C1 next line", "a\u0085b", "ab"],
  ["C1 reverse index", "a\u008db", "ab"],
  ["lone ST", "a\u009cb", "ab"],
  ["carriage return", "evil\rgood", "evilgood"],
  ["carriage return and newline", "a\r\nb", "a\nb"],
  ["backspace", "rm -rf\b\b\b\bls", "rm -rfls"],
  ["bell", "a\u0007b", "ab"],
  ["null", "a\u0000b", "ab"],
  ["delete", "a\u007fb", "ab"],
  ["vertical tab and form feed", "a\u000bb\u000cc", "abc"],
  ["shift out and in", "a\u000eb\u000fc", "abc"],
  ["device controls", "a\u0011b\u0013c", "abc"],
  ["turned writing", "a\u202egnp.exe\u202c \u2066b\u2069", "a\\u202egnp.exe\\u202c \\u2066b\\u2069"],
  ["marks of Hebrew and Arabic", "\u05e9\u200f!\u061c", "\u05e9\u200f!\u061c"],
  ["turned writing in a title", `a${ESC}]0;\u202e\u0007b`, "ab"],
  ["escape at the end", `a${ESC}`, "a"],
  ["escape escape", `a${ESC}${ESC}[31mb`, "ab"],
  ["unfinished CSI", `a${ESC}[31`, "a"],
  ["CSI broken off by an escape", `a${ESC}[3${ESC}[31mb`, "ab"],
  ["CSI broken off by a letter beyond ASCII", `a${ESC}[3éb`, "aéb"],
  ["CSI broken off by a newline", `a${ESC}[3\nb`, "a\nb"],
  ["string broken off by CAN", `a${ESC}]0;t\u0018b`, "ab"],
  ["string broken off by SUB", `a${ESC}]0;t\u001ab`, "ab"],
  ["string that is never closed ends with its line", `a${ESC}]0;hidden\nshown`, "a\nshown"],
  ["escape in a string begins anew", `a${ESC}]0;t${ESC}[31mb`, "ab"],
  ["escape then a letter beyond ASCII", `a${ESC}éb`, "aéb"],
  ["escape then a control", `a${ESC}\u0007b`, "ab"],
];

describe("safeText", () => {
  it.each(CORPUS)("T12 I1 %s", (_, text, shown) => {
    expect(safeText(text)).toBe(shown);
  });

  it("T12 I2 shows the same however the text is cut", () => {
    for (const [what, text, shown] of CORPUS) {
      for (let at = 0; at <= text.length; at++) {
        const safe = new SafeText();
        expect([what, at, safe.push(text.slice(0, at)) + safe.push(text.slice(at))]).toEqual([what, at, shown]);
      }
    }
  });

  const units = [ESC, "[", "]", "\\", "P", "3", "m", ";", "\u0007", "\u009b", "\u009c", "\n", "\t", "x", "é"];
  const anything = fc.string({ unit: fc.constantFrom(...units) });

  it("T12 I1 I2 lets no control through, whatever comes in whatever pieces", () => {
    fc.assert(
      fc.property(fc.array(anything), (pieces) => {
        const safe = new SafeText();
        const shown = pieces.map((one) => safe.push(one)).join("");
        expect(shown).not.toMatch(/[^\P{Cc}\n\t]/u);
        expect(shown).toBe(safeText(pieces.join("")));
      }),
    );
  });

  it("I3 hides no later line behind a sequence that is never closed", () => {
    fc.assert(
      fc.property(anything, (before) => {
        expect(safeText(`${before}\nshown`).endsWith("\nshown")).toBe(true);
      }),
    );
  });
});

describe("safeLine", () => {
  it("is one line", () => {
    expect(safeLine(`a\n\tb${ESC}[31m\nc`)).toBe("a b c");
  });
});

describe("safeWord", () => {
  it("is one word of a shell", () => {
    expect(safeWord("/work/shop")).toBe("/work/shop");
    expect(safeWord("/my work/Ann's")).toBe("'/my work/Ann'\\''s'");
  });
});

describe("safeConsent", () => {
  const cases: readonly [string, string][] = [
    ["rm -rf /\u202e txt.esle", "rm -rf /\\u202e txt.esle"],
    ["a\u200bb\u200d\ufeffc", "a\\u200bb\\u200d\\ufeffc"],
    ["\u2066x\u2069 \u200e\u200f\u061c", "\\u2066x\\u2069 \\u200e\\u200f\\u061c"],
    ["soft\u00adhyphen", "soft\\u00adhyphen"],
    ["filler\u3164\u2800\u115f", "filler\\u3164\\u2800\\u115f"],
    ["tag \u{e0041}", "tag \\u{e0041}"],
    [`${ESC}[2Jevil\rgood\t`, "\\u001b[2Jevil\\u000dgood\\u0009"],
    ["line\u2028sep", "line\\u2028sep"],
    ["two\nlines, é and 漢", "two\nlines, é and 漢"],
  ];
  it.each(cases)("T12 T25 I4 %j", (text, shown) => {
    expect(safeConsent(text)).toBe(shown);
  });
});

describe("safeJson", () => {
  it("keeps the value and shows no control", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.string({ unit: fc.constantFrom("\u009b", "\u007f", "\u202e", ESC, "x") }),
        (value, text) => {
          const json = safeJson(JSON.stringify({ value, text }));
          expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })));
          expect(json).not.toMatch(/[\p{Cc}\u202e]/u);
        },
      ),
    );
  });
});
