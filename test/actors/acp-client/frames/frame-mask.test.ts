/** What is kept of frames has no secret in it. Numbers are the invariants of `frame-mask.ts`. H44, H48. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrameMask } from "../../../../actors/acp-client/frames/frame-mask.ts";
import { Masking } from "../../../../actors/masking/masking.ts";
import { formsOf } from "../../../../actors/masking/patterns.ts";
import type { WireFrame } from "../../../../machines/conversation/entry.ts";
import type { Json } from "../../../../machines/model.ts";

const SECRET = 'canary-"7c1e/93=kq+Zü';
const SHORT = "text";
const masked = () => new FrameMask(new Masking([["env/TOKEN", SECRET]]));
const update = (one: { [name: string]: Json }, sessionId = "s1"): WireFrame => ({
  method: "session/update",
  params: { sessionId, update: one },
});
const says = (text: string, kind = "agent_message_chunk"): WireFrame =>
  update({ sessionUpdate: kind, content: { type: "text", text } });
const textOf = (frames: WireFrame[], kind = "agent_message_chunk"): string =>
  frames
    .map((frame) => (frame.params as { update: { sessionUpdate: string; content: { text: string } } }).update)
    .filter(({ sessionUpdate }) => sessionUpdate === kind)
    .map(({ content }) => content.text)
    .join("");

describe("FrameMask", () => {
  test("no form of a secret stays in a frame, wherever it stands (I1)", () => {
    for (const { text } of formsOf(SECRET)) {
      const frames: WireFrame[] = [
        { id: 1, method: "session/prompt", params: { sessionId: "s1", prompt: [{ type: "text", text }] } },
        { id: 1, error: { code: -1, message: text, data: { [text]: [text] } } },
        update({ sessionUpdate: "tool_call", toolCallId: text, title: text, kind: text, rawInput: { a: [text] } }),
        update({
          sessionUpdate: "tool_call_update",
          toolCallId: "t",
          content: [{ type: "diff", path: text, oldText: text, newText: text }],
        }),
        update({ sessionUpdate: text, odd: text }),
      ];
      const mask = masked();
      const written = JSON.stringify(frames.flatMap((frame) => mask.frames(frame)));
      expect(written).not.toContain(text);
      expect(written).toContain("***");
    }
  });

  test("nor in text that comes in pieces, however it is cut (I2)", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60), { maxLength: 12 }), fc.boolean(), (cuts, ends) => {
        const whole = `it is ${SECRET}, or so. ${SECRET}`;
        const places = [...new Set(cuts.filter((cut) => cut < whole.length))].toSorted((a, b) => a - b);
        const pieces = [0, ...places].map((from, index) => whole.slice(from, places[index]));
        const mask = masked();
        const frames = pieces.flatMap((piece) => [
          ...mask.frames(says(piece)),
          ...mask.frames(update({ sessionUpdate: "usage_update", used: 1, size: 2 })),
        ]);
        const rest = ends ? mask.frames({ id: 4, result: { stopReason: "end_turn" } }) : mask.rest();
        expect(textOf([...frames, ...rest.filter(({ params }) => params !== undefined)])).toBe("it is ***, or so. ***");
      }),
    );
  });

  test("what is held back comes before another speaker (I2)", () => {
    const mask = masked();
    const half = SECRET.slice(0, 9);
    const frames = [says(`so ${half}`), says("hm", "agent_thought_chunk"), says("!")].flatMap((one) =>
      mask.frames(one),
    );
    expect(frames.map((frame) => textOf([frame]) || textOf([frame], "agent_thought_chunk")).join("")).toBe(
      `so ${half}hm!`,
    );
  });

  test("what a command wrote beside its call is one text, too (I2)", () => {
    const mask = masked();
    const shown = (data: string): WireFrame =>
      update({
        sessionUpdate: "tool_call_update",
        toolCallId: "t1",
        _meta: { terminal_output_delta: { data, terminal_id: "t1" } },
      });
    const frames = [shown(SECRET.slice(0, 8)), shown(SECRET.slice(8)), shown("\n")].flatMap((one) => mask.frames(one));
    frames.push(...mask.frames(update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" })));
    expect(JSON.stringify(frames)).toContain("***");
    expect(JSON.stringify(frames)).not.toContain(SECRET.slice(8));
    expect(frames.at(-1)).toMatchObject({ params: { update: { status: "completed" } } });
  });

  const wrote = (toolCallId: string, data: string, rest: { [name: string]: Json } = {}): WireFrame =>
    update({ sessionUpdate: "tool_call_update", toolCallId, ...rest, _meta: { terminal_output_delta: { data } } });
  /** Everything that was said or written by one, put together. */
  const joined = (frames: WireFrame[], whose: string): string =>
    JSON.stringify(
      frames
        .map((frame) => JSON.stringify(frame.params))
        .filter((text) => text.includes(whose))
        .map((text) => /"(?:data|text)":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? "")
        .join(""),
    );
  test.each<[string, WireFrame[]]>([
    ["another call writes", [wrote("other", "x")]],
    ["another call ends", [update({ sessionUpdate: "tool_call_update", toolCallId: "other", status: "completed" })]],
    ["the agent speaks", [says("hm")]],
    ["another session speaks", [{ ...says("hm"), params: { sessionId: "s2", update: {} } }]],
  ])("what a call writes is one text, also where %s in the midst of it (I2)", (_, between) => {
    const mask = masked();
    const pieces = ["it is ", SECRET.slice(0, 4), SECRET.slice(4, 9), SECRET.slice(9), "!\n"];
    const frames = pieces.flatMap((piece) => [wrote("mine", piece), ...between]).flatMap((one) => mask.frames(one));
    expect(joined([...frames, ...mask.rest()], '"mine"')).toBe(JSON.stringify("it is ***!\\n"));
  });

  test("what an agent says is one text, also where a call writes, or another session speaks (I2)", () => {
    const mask = masked();
    const other: WireFrame = update(
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hm" } },
      "s2",
    );
    const pieces = [SECRET.slice(0, 4), SECRET.slice(4, 9), SECRET.slice(9)];
    const frames = pieces.flatMap((piece) => [says(piece), wrote("t", "x"), other]).flatMap((one) => mask.frames(one));
    expect(textOf([...frames, ...mask.rest()].filter(({ params }) => JSON.stringify(params).includes("s1")))).toBe(
      "***",
    );
  });

  test("an update that says more than what a call writes is never held back; its end ends the text", () => {
    const mask = masked();
    const half = SECRET.slice(0, 4);
    const begun = mask.frames(wrote("t", half, { status: "in_progress" }));
    expect(begun).toMatchObject([{ params: { update: { status: "in_progress" } } }]);
    const ended = mask.frames(wrote("t", "", { status: "completed" }));
    expect(ended).toMatchObject([
      { params: { update: { status: "completed", _meta: { terminal_output_delta: { data: half } } } } },
    ]);
    expect(mask.rest()).toEqual([]);
  });

  test("words of the protocol stay though a secret is one of them (I1)", () => {
    const mask = new FrameMask(new Masking([["inputs/word", SHORT]]));
    const [frame] = mask.frames({ method: "session/prompt", params: { prompt: [{ type: "text", text: "text" }] } });
    expect(frame).toEqual({ method: "session/prompt", params: { prompt: [{ type: "text", text: "***" }] } });
  });

  test("values that are handed on are never kept (I3)", () => {
    const servers = [
      { name: "s", command: "c", args: [], env: [{ name: "A", value: "harmless" }] },
      { type: "http", name: "h", url: "u", headers: [{ name: "B", value: "unknown" }] },
    ];
    const [frame] = masked().frames({ id: 1, method: "session/new", params: { cwd: "/", mcpServers: servers } });
    expect(JSON.stringify(frame)).not.toMatch(/harmless|unknown/);
    expect(JSON.stringify(frame)).toContain('"name":"A","value":"***"');
  });

  test("a frame without secrets is what it was", () => {
    const frame = says("words");
    expect(masked().frames(frame)).toEqual([frame]);
  });
});
