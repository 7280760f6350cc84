/** What an agent asks in a conversation, with options that nobody could tell apart (I4). */
import type { PermissionOption, RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { beforeEach, expect, test } from "vitest";
import { ChatQuestions } from "../../../actors/conversations/questions.ts";
import type { ChatEvent } from "../../../machines/conversation/event.ts";

const EDIT = { path: "/w/a", oldText: null, newText: "b" };
const request = (options: PermissionOption[]): RequestPermissionRequest => ({
  sessionId: "s",
  toolCall: { toolCallId: "t", kind: "edit", title: "T", content: [{ type: "diff", ...EDIT }] },
  options,
});
const option = (optionId: string, kind: PermissionOption["kind"]): PermissionOption => ({ optionId, kind, name: kind });
const YES_AND_NO = [option("same", "allow_once"), option("same", "reject_once")];
const { signal } = new AbortController();

let told: ChatEvent[];
let questions: ChatQuestions;
const asked = () => told.flatMap((event) => (event.type === "asked" ? [event.question] : []));
beforeEach(() => {
  told = [];
  questions = new ChatQuestions((event) => told.push(event), "/w");
});

test("where one id stands for a yes and a no, nobody is asked, and nothing is allowed by it", async () => {
  expect(await questions.permission(request(YES_AND_NO), {}, signal)).toBeNull();
  expect(told.map(({ type }) => type)).toEqual(["notice"]);
  void questions.edit(EDIT, signal);
  expect(asked().map(({ title }) => title)).toEqual(["edit: write /w/a"]);
});

test("an option beside them is offered", async () => {
  const answer = questions.permission(request([...YES_AND_NO, option("other", "reject_once")]), {}, signal);
  expect(asked()[0]?.options.map(({ id }) => id)).toEqual(["other"]);
  questions.answer(asked()[0]?.id ?? "", "other");
  expect(await answer).toBe("other");
});
