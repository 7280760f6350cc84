/** `printf` as Go has it: what is expected here is what Go prints for the same format and values. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../machines/model.ts";
import { printf } from "../../../../machines/workflow/template/printf.ts";

const all = (...cases: [format: string, values: Json[], text: string][]): void => {
  expect(cases.map(([format, values]) => printf([format, ...values]))).toEqual(cases.map(([, , text]) => text));
};
const fault = (format: Json, ...values: Json[]): string => {
  try {
    return `printed ${printf([format, ...values])}`;
  } catch (error) {
    return (error as Error).message;
  }
};

describe("what Go prints", () => {
  it("texts and any value", () =>
    all(
      ["%s|%v", ["a", null], "a|<nil>"],
      ["%v %v", [[1, "a"], { a: true }], '[1,"a"] {"a":true}'],
      ["%v %+v %s", [3, 3, 3], "3 +3 3"],
      ["%+s %v %v", ["a", true, ""], "a true "],
      ["%.2s|%5.1s|%.0s|%.9s", ["héllo", "é", "abc", "ab"], "hé|    é||ab"],
      ["%q %q %q", ['a"b', 65, 128_512], `"a\\"b" 'A' '😀'`],
      ["%t %t", [true, false], "true false"],
      ["%T %T %T %T", [1, 1.5, "x", true], "int float64 string bool"],
      ["%T %T %T", [null, [], {}], "<nil> []interface {} map[string]interface {}"],
      ["100%% %5%", [], "100% %"],
    ));

  it("integers of each radix, with a sign, a prefix and a number of digits", () =>
    all(
      ["%d %d %d", [42, -42, " 7 "], "42 -42 7"],
      ["%x %X %o %b", [255, 255, 8, -5], "ff FF 10 -101"],
      ["%#x %#X %#o %#b %#d", [255, 255, 8, 5, 7], "0xff 0XFF 010 0b101 7"],
      ["%#o %#.3o %#x %#.3x", [0, 8, 0, 10], "0 010 0x0 0x00a"],
      ["%x %#x %+x", [-255, -255, 10], "-ff -0xff +a"],
      ["%+d %+d % d % d %+ d", [5, -3, 5, -5, 5], "+5 -3  5 -5 +5"],
      ["%.3d|%.3d|%6.3d|%06.3d|%.3x", [5, -5, 5, 5, 10], "005|-005|   005|   005|00a"],
      ["%c%c", [65, 128_512], "A😀"],
      ["%U %U", [65, 128_512], "U+0041 U+1F600"],
    ));

  it("a text in hexadecimal, byte by byte", () =>
    all(["%x|%X|%x|%x", ["hé\n", "hé", "", "~%"], "68c3a90a|68C3A9||7e25"], ["%x", ["\ud800"], "efbfbd"]));

  it("numbers with a point or an exponent", () =>
    all(
      ["%f %F %+f", [1.5, 1.5, 1], "1.500000 1.500000 +1.000000"],
      ["%.2f %.f %.0f %.1f", [6.137, 3.5, 3.6, "2.26"], "6.14 4 4 2.3"],
      ["%.100f", [1], `1.${"0".repeat(100)}`],
      ["%.200f %.200e", [1, 1], `1.${"0".repeat(100)} 1.${"0".repeat(100)}e+00`],
      ["%e %.2e %e %+.1e", [1500, 0.000_015, 1e100, 12_345.678], "1.500000e+03 1.50e-05 1.000000e+100 +1.2e+04"],
      ["%g %g %g %g", [1e21, 1e-7, 1.5, 100_000], "1e+21 1e-07 1.5 100000"],
      ["%.3g %.3g %.3g %.0g", [1234, 1_234_567, 123, 1234], "1.23e+03 1.23e+06 123 1e+03"],
      ["%.4g %.3g %.3g %.10g", [1.5, 0.000_123, 0.000_012, 100_000], "1.5 0.000123 1.2e-05 100000"],
      ["%.3g %.3g %.2g %+.3g %.200g", [100_000, 0, 10, 2.0, 0.5], "1e+05 0 10 +2 0.5"],
    ));

  it("numbers as they are held: a half goes to the even digit, and a large one has all its digits", () =>
    all(
      ["%.0f %.0f %.0f %.1f %05.1f %.3f", [0.5, 1.5, 2.5, 1.25, -1.25, 1.0005], "0 2 2 1.2 -01.2 1.000"],
      [
        "%f %.2f %.0f",
        [1e21, 1e22, 1e23],
        "1000000000000000000000.000000 10000000000000000000000.00 99999999999999991611392",
      ],
      ["%.30f %.0f %.0f", [0.1, -0.4, 5e-324], "0.100000000000000005551115123126 -0 0"],
      ["%.0e %.1e %.1e %.2e %.0e", [2.5, 1.25, 12_500, -1.125, 9.5], "2e+00 1.2e+00 1.2e+04 -1.12e+00 1e+01"],
      ["%.1g %.2g %.2g %.4g %.2g", [2.5, 1.25, 125, 0.00012345, 99.9], "2 1.2 1.2e+02 0.0001234 1e+02"],
      ["%d %x %+d", [1e21, 2 ** 60, 2 ** 60], "1000000000000000000000 1000000000000000 +1152921504606846976"],
    ));

  it("as many digits as are asked for, also of a number that is held as less than its power of ten", () =>
    all(
      ["%.18e %.15e %.0e", [1e23, 1e23, 1e23], "9.999999999999999161e+22 9.999999999999999e+22 1e+23"],
      [
        "%.20g %.17e %.16e",
        [1e-7, 1e-7, 1e-7],
        "9.9999999999999995475e-08 9.99999999999999955e-08 9.9999999999999995e-08",
      ],
    ));

  it("a width, to the left, with zeros, and one that is a value", () =>
    all(
      ["%5s|%-5s|%2s|%1s", ["ab", "ab", "ab", "ab"], "   ab|ab   |ab|ab"],
      ["%5s|%-3s|", ["é😀", "😀"], "   é😀|😀  |"],
      ["%05d|%+05d|% 05d|%-05d|%02d", [-42, 42, 42, 42, 123], "-0042|+0042| 0042|42   |123"],
      [
        "%08.2f|%010.3f|%#08x|%+#08x|%#08b",
        [-6.137, -1.5, 255, 255, 5],
        "-0006.14|-00001.500|0x000000ff|+0x00000ff|0b00000101",
      ],
      ["%5t|%-6q|%3c|%-8s|%3d%%", [true, "a", 65, "a", 7], ' true|"a"   |  A|a       |  7%'],
      ["%*d|%-*d|%*d|%.*f|%*.*f", [5, 42, 5, 42, -5, 42, 2, 6.137, 6, 1, 2.5], "   42|42   |42   |6.14|   2.5"],
      ["%10000d", [1], `${" ".repeat(9999)}1`],
    ));

  it("zeros before numbers only, where Go puts them before texts, too", () =>
    all([
      "%04s|%07t|%05q|%05q|%03x|%03c|%09U|%06T|%04v",
      ["ab", true, "a", 65, "a", 65, 65, 1, "ab"],
      "  ab|   true|  \"a\"|  'A'| 61|  A|   U+0041|   int|  ab",
    ]));
});

describe("what Go marks in its output is an error", () => {
  it("a format that is none, ends early, or has an unknown verb", () => {
    expect([fault(7), fault("%", 1), fault("a %5.", 1), fault("%z", 1)]).toEqual([
      "printf: the first argument is the format, a string",
      "printf: the format ends in an unfinished %",
      "printf: the format ends in an unfinished %",
      "printf: unknown verb %z; use one of s v d q t f e g x X o b c U T",
    ]);
  });

  it("a value too few or too many", () => {
    expect([fault("%d%d", 1), fault("%*d", 1), fault("a%%", 1), fault("%s", "a", "b", "c")]).toEqual([
      'printf: "%d%d" needs more than 1 values',
      'printf: "%*d" needs more than 1 values',
      'printf: "a%%" uses 0 of 1 values',
      'printf: "%s" uses 1 of 3 values',
    ]);
  });

  it("a value that does not fit its verb", () => {
    const values: [string, Json][] = [
      ["%d", "x"],
      ["%d", ""],
      ["%f", " "],
      ["%e", null],
      ["%g", [1]],
      ["%.1g", true],
      ["%x", { a: 1 }],
      ["%f", "1e999"],
      ["%d", 1.5],
      ["%c", 65.5],
      ["%U", "1.5"],
      ["%t", "true"],
      ["%*d", "w"],
    ];
    expect(values.map(([format, value]) => fault(format, value))).toEqual([
      'printf: %d needs a number, found string "x"',
      'printf: %d needs a number, found string ""',
      'printf: %f needs a number, found string " "',
      "printf: %e needs a number, found nil null",
      "printf: %g needs a number, found list [1]",
      "printf: %g needs a number, found boolean true",
      'printf: %x needs a number, found object {"a":1}',
      'printf: %f needs a number, found string "1e999"',
      "printf: %d needs an integer, found 1.5",
      "printf: %c needs an integer, found 65.5",
      "printf: %U needs an integer, found 1.5",
      "printf: %t needs a boolean, found string",
      'printf: %* needs a number, found string "w"',
    ]);
  });

  it("a width or precision that is too large, and a precision below 0", () => {
    const large = "printf: width and precision are at most 10000";
    expect([fault("%10001d", 1), fault("%*d", -10_001, 1), fault("%.10001f", 1), fault("%.*s", -1, "abc")]).toEqual([
      large,
      large,
      large,
      "printf: a precision is never negative",
    ]);
  });
});
