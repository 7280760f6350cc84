import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../machines/exchange.ts";
import { paintedLines } from "../../../projections/page/ansi.ts";
import { changeRows, type SideBySide } from "../../../projections/page/changes.ts";
import { detailOf, MOST_SHOWN } from "../../../projections/page/detail.ts";
import { momentOf } from "../../../projections/page/moment.ts";
import { figuresOf, percentile, type RunLine, runGroups } from "../../../projections/page/overview.ts";
import { type PagePlace, placeOf, placeText } from "../../../projections/page/place.ts";
import { recordedPage } from "../../../projections/page/recorded.ts";
import { agoText, countText, durationText, usageText } from "../../../projections/page/spoken.ts";
import { historyOf, logOf, ROWS, RUN, said, started } from "./story.ts";

describe("output", () => {
  const looks = (text: string) =>
    paintedLines(text).map((line) =>
      line.map(({ text: piece, ...look }) => [
        piece,
        ...Object.entries(look).flatMap(([name, is]) => (is === null || is === false ? [] : [`${name} ${is}`])),
      ]),
    );
  test.each([
    ["\u001b[31mred\u001b[0m plain", [[["red", "colour 1"], [" plain"]]]],
    [
      "\u001b[1;4;92mall\u001b[22mless",
      [
        [
          ["all", "colour 10", "bold true", "underline true"],
          ["less", "colour 10", "underline true"],
        ],
      ],
    ],
    [
      "\u001b[38;5;196mfar\u001b[48;2;0;0;255mblue",
      [
        [
          ["far", "colour 9"],
          ["blue", "colour 9", "ground 12"],
        ],
      ],
    ],
    ["a\u001b[2J\u001b[1;1Hb\u001b]0;title\u0007c\u001b]8;;http://x\u001b\\link", [[["a"], ["b"], ["c"], ["link"]]]],
    ["10%\r20%\r100%\nnext", [[["100%"]], [["next"]]]],
    ["cut\u001b[3", [[["cut"]]]],
    ["\u001b]52;c;ZXZpbA==", [[]]],
    ["abc\u202Edef\u200b", [[["abc\\u202edef\\u200b"]]]],
    ["<b>&amp;</b>", [[["<b>&amp;</b>"]]]],
  ])("%j", (text, lines) => {
    expect(looks(text)).toEqual(lines);
  });

  test("I1: no piece steers a terminal, whatever comes", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom("\u001b", "\u001b[", "\u001b]", "31m", "\u009b", "\u0007", "\r", "\n", "\u0000", ";"),
    );
    fc.assert(
      fc.property(fc.array(piece), (parts) => {
        const texts = paintedLines(parts.join(""))
          .flat()
          .map(({ text }) => text)
          .join("");
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
        expect(texts).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/);
      }),
    );
  });
});

describe("an edit", () => {
  const sides = (rows: readonly (SideBySide | { left: number })[]) =>
    rows.filter((row): row is SideBySide => "old" in row);
  test("shows lines beside each other, and counts what is far from a change", () => {
    const old = ["a", "b", "c", "d", "e", "f", "g"].join("\n");
    expect(
      changeRows(old, old.replace("f", "F\nmore")).map((row) =>
        "left" in row ? row.left : [row.old?.text ?? null, row.fresh?.text ?? null],
      ),
    ).toEqual([...[2, ["c", "c"], ["d", "d"], ["e", "e"], ["f", "F"], [null, "more"], ["g", "g"]]]);
    expect(sides(changeRows(null, "new\n"))).toEqual([{ old: null, fresh: { number: 1, text: "new" }, isSame: false }]);
    expect(changeRows("same", "same")).toEqual([{ left: 1 }]);
  });

  test("I1: all that differs stands in it, in order and with its number", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (old, fresh) => {
        const rows = sides(changeRows(old, fresh));
        const lines = (part: string) => (part === "" ? [] : part.split("\n"));
        for (const row of rows) {
          if (row.old !== null) expect(lines(old)[row.old.number - 1]).toBe(row.old.text);
          if (row.fresh !== null) expect(lines(fresh)[row.fresh.number - 1]).toBe(row.fresh.text);
        }
        const counted = changeRows(old, fresh).reduce(
          (sum, row) => sum + ("left" in row ? row.left : row.old === null ? 0 : 1),
          0,
        );
        expect(counted).toBe(lines(old).length);
      }),
    );
  });
});

test("a text that is too long is cut at its beginning, and the cut is shown", () => {
  const rows = logOf([
    ROWS[0] as Exchange,
    started("a", "agent"),
    ...Array.from({ length: 3 }, (_, at) => said("a", String(at).repeat(40_000), at * 40_000)),
  ]);
  const history = historyOf(rows);
  const [item] = detailOf(history.at("a") as never, momentOf(history, { seq: null, isAlive: true, now: 0 }));
  expect(item).toMatchObject({
    type: "said",
    words: {
      ...{ cut: 120_000 - MOST_SHOWN, text: expect.stringMatching(/^1+2{40000}$/) },
      times: rows.slice(-2).map(({ at }, index) => ({ from: index * (MOST_SHOWN - 40_000), at })),
    },
  });
});

describe("an address", () => {
  const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.isWellFormed());
  const place: fc.Arbitrary<PagePlace> = fc.oneof(
    fc.record({ view: fc.constant("runs" as const), search: fc.oneof(fc.constant(""), word) }),
    fc.record({
      view: fc.constant("run" as const),
      run: word,
      step: fc.option(word),
      seq: fc.option(fc.nat()),
      line: fc.option(word),
    }),
    fc.record({ view: fc.constant("workflow" as const), workflow: word, cwd: fc.option(word) }),
    fc.record({ view: fc.constant("workflows" as const), cwd: fc.option(word) }),
  );
  test("I1: is read back as it was written", () => {
    fc.assert(
      fc.property(place, (one) => {
        expect(placeOf(`#${placeText(one)}`)).toEqual(one);
      }),
    );
  });
  test.each(["", "#", "#/nothing", "#/run/", "#/run/%E0%A4%A", "#open=abc"])("%j is the list of runs", (text) => {
    expect(placeOf(text)).toEqual({ view: "runs", search: "" });
  });
});

describe("all runs", () => {
  const line = (id: string, status: string, startedAt: number, more: Partial<RunLine> = {}): RunLine => ({
    ...{
      id,
      workflow: `w-${id}`,
      cwd: "/home/x",
      status,
      startedAt,
      endedAt: null,
      permissions: [],
      questions: [],
      ...more,
    },
  });
  const RUNS = [
    ...[
      line("a", "completed", 1),
      line("b", "running", 2),
      line("c", "waiting", 3, { permissions: [{ title: "Sign it?" }] }),
    ],
    ...[line("d", "failed", 4), line("e", "parked", 5), line("f", "interrupted", 6)],
  ];
  const shown = (search: string, state = "") =>
    runGroups(RUNS, { search, state }).map(({ title, runs }) => [title, runs.map(({ id }) => id).join("")]);
  test("runs that wait for a person come first, then those that run; newest first", () => {
    expect(shown("")).toEqual([
      ["Waits for you", "ec"],
      ["Runs now", "b"],
      ["Cut off", "f"],
      ["Ended", "da"],
    ]);
  });
  test("words and a state narrow it down", () => {
    expect([shown("SIGN"), shown("w-a home"), shown("", "failed"), shown("nothing")]).toEqual([
      ...[[["Waits for you", "c"]], [["Ended", "a"]], [["Ended", "d"]], []],
    ]);
  });
  test("figures of a workflow are of what completed or failed", () => {
    const ended = [100, 200, 300, 1_000].map((ms, at) =>
      line(String(at), at === 3 ? "failed" : "completed", 0, { endedAt: ms }),
    );
    const step = (name: string, ms: number, state = "completed") =>
      ({ name, kind: "command", state, startedAt: 0, endedAt: ms, steps: [], calls: null }) as never;
    const told = figuresOf(
      [...ended, line("x", "running", 0)],
      [[step("a", 10), step("b", 5)], [step("a", 30, "failed")]],
    );
    expect(told).toEqual({
      ...{ runs: 4, undone: 0, failed: 1, p50: 200, p95: 1_000 },
      steps: [
        { name: "a", kind: "command", runs: 2, failed: 1, p50: 10, p95: 30 },
        { name: "b", kind: "command", runs: 1, failed: 0, p50: 5, p95: 5 },
      ],
    });
    expect([percentile([], 0.5), percentile([3, 1, 2], 0.5)]).toEqual([null, 2]);
  });
});

test("figures are written as people read them", () => {
  expect([0, 340, 4_250, 59_999, 65_000, 7_389_000].map(durationText)).toEqual([
    "0 ms",
    "340 ms",
    "4.2 s",
    "59.9 s",
    "1:05",
    "2:03:09",
  ]);
  expect([812, 4_100, 999_949, 999_951, 1_200_000].map(countText)).toEqual(["812", "4.1k", "999.9k", "1.0M", "1.2M"]);
  expect(
    usageText({ inputTokens: 1, outputTokens: 1, tokens: 2_000, costs: [{ amount: 0.0331, currency: "USD" }] }),
  ).toBe("2.0k tokens · 0.033 USD");
  expect([0, 5, 180, 60 * 24 * 3].map((minutes) => agoText(0, minutes * 60_000))).toEqual([
    "just now",
    "5 min ago",
    "3 h ago",
    "3 d ago",
  ]);
});

test("a run as a file: its rows are data, and nothing in them ends their place", () => {
  const rows = logOf([ROWS[0] as Exchange, started("a"), said("a", "</script><script>alert(1)</script><!-- & \u2028")]);
  const file = recordedPage(
    { script: { text: "1", hash: "S=" }, style: { text: "a{}", hash: "T=" } },
    { run: RUN, workflow: "<w>", cwd: "/", charts: {}, rows },
  );
  expect(file.match(/<script/g)).toHaveLength(2);
  expect(file).toContain("script-src 'sha256-S='; style-src 'sha256-T='");
  const [, data = ""] = /id="recorded">(.*?)<\/script>/s.exec(file) ?? [];
  expect(JSON.parse(data)).toEqual({ run: RUN, workflow: "<w>", cwd: "/", charts: {}, rows });
});
