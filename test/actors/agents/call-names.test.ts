import { expect, it } from "vitest";
import type { AgentEvent, ToolEvent } from "../../../actors/agents/agent.ts";
import { CallNames } from "../../../actors/agents/call-names.ts";
import { opencode } from "../../../actors/agents/opencode/opencode.ts";
import { fakeProgram, hear } from "./fake-program.ts";

const begun = (call: string): AgentEvent => ({ type: "tool", tool: { call, title: "Look", status: "in_progress" } });
const ended = (call: string): AgentEvent => ({ type: "tool", tool: { call, status: "completed" } });
const news = (call: string): AgentEvent => ({ type: "tool", tool: { call, content: [] } });
const output = (call: string): AgentEvent => ({ type: "tool output", call, text: "x" });
const nameOf = (event: AgentEvent): string =>
  event.type === "tool" ? event.tool.call : (event as { call: string }).call;
const named = (...events: AgentEvent[]): string[] => {
  const names = new CallNames();
  return events.map((event) => nameOf(names.named(event)));
};

it("a call keeps its id from its beginning to what comes after its end", () => {
  expect(named(begun("a"), begun("a"), output("a"), ended("a"), news("a"), output("a"))).toEqual(Array(6).fill("a"));
});

it("one that begins under the id of one that has ended is another call", () => {
  const once = (call: string) => [begun(call), output(call), ended(call), news(call)];
  expect(named(...once("a"), ...once("a"), ...once("a"))).toEqual(
    ["a", "a#2", "a#3"].flatMap((name) => Array(4).fill(name)),
  );
});

it("one without an id has a name that no other has", () => {
  expect(named(begun("call"), begun(""), ended(""), begun(""), ended("call"))).toEqual([
    ...["call", "call#2", "call#2", "call#3", "call"],
  ]);
});

it("other events stay what they are", () => {
  const text: AgentEvent = { type: "text", text: "x" };
  expect(new CallNames().named(text)).toBe(text);
});

it("a program that gives each call the same id shows them all", async () => {
  const state = { status: "completed", input: { command: "ls" }, output: "out" };
  const tool = { type: "tool_use", part: { tool: "bash", callID: "call_0", state } };
  const { spawn } = fakeProgram((process) => {
    process.out(`${JSON.stringify(tool)}\n`.repeat(2));
    process.end({ type: "exited", code: 0 });
  });
  const { heard } = await hear(opencode({ spawn }));
  const tools = heard.flatMap((event): ToolEvent[] => (event.type === "tool" ? [event.tool] : []));
  expect(tools.map(({ call, status }) => [call, status])).toEqual([
    ["call_0", "in_progress"],
    ["call_0", "completed"],
    ["call_0#2", "in_progress"],
    ["call_0#2", "completed"],
  ]);
});

it("a name is found as soon for the last of many calls under one id as for the first", () => {
  const names = new CallNames();
  const calls = 100_000;
  let last = "";
  for (let n = 0; n < calls; n++) {
    last = names.begins("call");
    names.ends("call");
  }
  expect(last).toBe(`call#${calls}`);
});
