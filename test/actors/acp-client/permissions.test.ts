import type { PermissionOptionKind, RequestPermissionRequest, ToolKind } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { byPolicy, decided, type PermissionPolicy } from "../../../actors/acp-client/permissions.ts";

const ALL: PermissionOptionKind[] = ["allow_always", "allow_once", "reject_once", "reject_always"];
const request = (kinds: PermissionOptionKind[], toolCall: object = {}): RequestPermissionRequest => ({
  sessionId: "s",
  options: kinds.map((kind) => ({ kind, optionId: `id of ${kind}`, name: kind })),
  toolCall: { toolCallId: "t", title: "read README", ...toolCall },
});
const answer = async (policy: PermissionPolicy, asked: RequestPermissionRequest): Promise<string> => {
  const { outcome } = await decided(byPolicy(policy), asked, new AbortController().signal);
  return outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
};
const same = (...kinds: PermissionOptionKind[]): RequestPermissionRequest => ({
  ...request([]),
  options: kinds.map((kind) => ({ kind, optionId: "same", name: kind })),
});
/** What is offered where a directory is to be trusted. */
const TRUST: PermissionOptionKind[] = ["allow_always", "reject_once"];
const anyway = async (): Promise<string> => "id of allow_always";
const edit: { kind: ToolKind } = { kind: "edit" };

test.each<[string, PermissionPolicy, RequestPermissionRequest, string]>([
  ["no one to ask", {}, request(ALL), "id of reject_once"],
  ["allowed, once", { allow: ["edit"] }, request(ALL, edit), "id of allow_once"],
  ["allowed by kind, not by title", { allow: ["read"] }, request(ALL, edit), "id of reject_once"],
  ["a call without a kind is other", { allow: ["other"] }, request(ALL), "id of allow_once"],
  ["deny wins", { allow: "all", deny: ["edit"] }, request(ALL, edit), "id of reject_once"],
  ["allow before ask", { allow: ["edit"], ask: async () => null }, request(ALL, edit), "id of allow_once"],
  ["asked", { ask: async () => "id of allow_always" }, request(ALL), "id of allow_always"],
  ["only always offered: a policy does not take it (H38)", { allow: "all" }, request(["allow_always"]), "cancelled"],
  ["only always and no offered: no", { allow: "all" }, request(TRUST), "id of reject_once"],
  ["only always offered, a person to ask", { allow: "all", ask: anyway }, request(TRUST), "id of allow_always"],
  ["named for always", { allowAlways: ["edit"] }, request(TRUST, edit), "id of allow_always"],
  ["named for always, of another kind", { allow: "all", allowAlways: ["edit"] }, request(TRUST), "id of reject_once"],
  ["named for always, and once is offered", { allowAlways: "all" }, request(ALL, edit), "id of allow_once"],
  ["deny wins over always", { allowAlways: "all", deny: ["edit"] }, request(TRUST, edit), "id of reject_once"],
  ["only allowing options under deny", {}, request(["allow_once", "allow_always"]), "cancelled"],
  ["only a lasting no", {}, request(["allow_once", "reject_always"]), "id of reject_always"],
  ["an option that was not offered", { ask: async () => "id of allow_once" }, request(["reject_once"]), "cancelled"],
  ["an id of a yes and a no, which nobody could tell apart", {}, same("allow_once", "reject_once"), "cancelled"],
  ["such an id, chosen by a person", { ask: async () => "same" }, same("reject_once", "allow_always"), "cancelled"],
  ["an id of two options of one kind", {}, same("reject_once", "reject_once"), "same"],
  ["a handler that fails", { ask: () => Promise.reject(new Error()) }, request(ALL), "cancelled"],
])("H36: %s", async (_, policy, asked, expected) => {
  expect(await answer(policy, asked)).toBe(expected);
});

test("H37: an answer that comes after the question was taken back authorises nothing", async () => {
  const turn = new AbortController();
  const human = Promise.withResolvers<string>();
  const outcome = decided(() => human.promise, request(ALL), turn.signal);
  turn.abort();
  human.resolve("id of allow_once");
  expect(await outcome).toEqual({ outcome: { outcome: "cancelled" } });
});
test("H37: what answers at the very moment of the cancel authorises nothing either", async () => {
  const turn = new AbortController();
  const ask = async (): Promise<string> => {
    turn.abort();
    return "id of allow_once";
  };
  expect(await decided(ask, request(ALL), turn.signal)).toEqual({ outcome: { outcome: "cancelled" } });
});
