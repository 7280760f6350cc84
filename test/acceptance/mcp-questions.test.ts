/**
 * What a run asks, in a host that speaks MCP: the official client, in the revisions of 2025 and of 2026.
 *
 * M3. A question of a run is put to a person where the host shows forms. Without an answer it stays open.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { decided, ERAS, said, trust } from "../support/mcp-host.ts";
import { house, start } from "./mcp-house.ts";

describe.each(ERAS)("a host that speaks %s", (era) => {
  beforeEach(() => trust(house, "hello"));

  test("a conversation and an approval are put to a person (M3)", async () => {
    const answers = [said("Ann"), said("")];
    const host = await start({
      era,
      person: (form) => ("decision" in form.requestedSchema.properties ? decided("allow") : answers.shift()!),
    });
    expect(await host.told("talk")).toMatchObject({ status: "completed", message: "bye" });
    expect(host.forms.map(({ message }) => message.split("\n")[0])).toEqual([
      "talk, step chat: Who are you?",
      "talk, step chat: Ann",
    ]);
    expect(await host.told("gate")).toMatchObject({ status: "completed", message: "The gate is open." });
    expect(host.forms[2]).toMatchObject({ message: expect.stringContaining("May the gate be opened?") });
  });

  test("a question that a person does not answer stays open, and another person may answer it (M3)", async () => {
    const host = await start({ era, person: () => ({ action: "decline" }) });
    const { run, status, questions } = await host.told("talk");
    expect([status, questions]).toMatchObject(["parked", [{ step: "chat", said: "Who are you?" }]]);
    const asked = await host.told("gate");
    expect(asked).toMatchObject({ status: "waiting", permissions: [{ step: "open" }] });
    await house.troupe(["decide", asked.run, "deny"]).ended;
    const mute = await start({ era });
    expect(await mute.told("troupe_run_answer", { run, text: "Ann" })).toMatchObject({ status: "parked" });
    expect(await mute.told("troupe_run_answer", { run, text: "" })).toMatchObject({ status: "completed" });
    expect(await mute.call("troupe_run_answer", { run, text: "late" })).toMatchObject({ isError: true });
  });

  test("a host decides permissions itself only where the user has said so (M3)", async () => {
    const host = await start({ era });
    const asked = await host.told("gate");
    expect(asked).toMatchObject({ status: "waiting", permissions: [{ title: 'Run step "open"?' }] });
    await expect(host.call("troupe_run_decide", {})).rejects.toThrow(/there is no tool/);
    await host.call("troupe_run_cancel", { run: asked.run });
    const free = await start({ era, args: ["--allow-decide"] });
    const { run, permissions } = await free.told("gate");
    const [{ permission }] = permissions as [{ permission: string }];
    expect(await free.told("troupe_run_decide", { run, permission, option: "allow" })).toMatchObject({
      status: "completed",
    });
  });
});
