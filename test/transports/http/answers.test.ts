/** What a run asks, answered and decided over the API. */
import { describe, expect, test } from "vitest";
import type { Anything, Said } from "../../support/api.ts";
import { api, parked, problem, refusal } from "./api-house.ts";

describe("an answer", () => {
  test("by values: a name that is not asked for is refused, and answers nothing", async () => {
    const { run } = await api.start("wordy");
    await expect.poll(async () => (await api.run(run)).status).toBe("parked");
    const answer = (values: object): Promise<Said> => api.post(`/api/runs/${run}/answer`, { values });
    const wrong = await answer({ nots: "x", copies: 2 });
    expect(refusal(wrong)).toEqual(problem(400, "USER.SERVE.INVALID_REQUEST"));
    expect((wrong.body as Anything).detail).toBe(
      `values.nots: step "ask" of run ${run} asks for nothing of that name: expected note, copies`,
    );
    expect((await answer({ note: "x", copies: 2 })).status).toBe(202);
    const { events } = await api.whole(run);
    expect(events.filter(({ event }) => event === "input.answered")).toHaveLength(1);

    const talk = await parked();
    const words = await api.post(`/api/runs/${talk.run}/answer`, { values: { text: "x" } });
    expect(refusal(words)).toEqual(problem(400, "USER.SERVE.INVALID_REQUEST"));
    await api.post(`/api/runs/${talk.run}/cancel`);
  });

  test("that its question does not allow is refused with what it allows, and answers nothing", async () => {
    const { run } = await api.start("wordy");
    await expect.poll(async () => (await api.run(run)).status).toBe("parked");
    const said = async (body: object): Promise<unknown> => {
      const { status, body: problem } = await api.post(`/api/runs/${run}/answer`, body);
      return [status, (problem as Anything).code, (problem as Anything).details];
    };
    const refused = (field: string, expected: string): unknown => [
      ...[400, "USER.SERVE.INVALID_REQUEST"],
      { field, expected },
    ];
    expect(await said({ values: { note: "x", copies: "many" } })).toEqual(refused("values.copies", "a whole number"));
    expect(await said({ values: { copies: 2 } })).toEqual(refused("values.note", "an answer"));
    expect(await said({ text: "<" })).toEqual(refused("text", "this is the first question"));
    const { status } = await api.post(`/api/executions/${run}/respond`, { response: { Value: "<" } });
    expect([status, (await api.run(run)).questions[0].form.at]).toEqual([400, 0]);
    expect((await said({ text: "x" })) as unknown[]).toContain(202);
    await expect.poll(async () => (await api.run(run)).questions[0]?.form.at).toBe(1);
    expect(await said({ text: "many" })).toEqual(refused("text", "a whole number"));
    expect((await said({ text: "2" })) as unknown[]).toContain(202);
    const { events } = await api.whole(run);
    expect(events.filter(({ event }) => event === "input.answered")).toHaveLength(2);
  });

  test("is taken once; the second one, of two at once too, is refused and changes nothing", async () => {
    const { run, question } = await parked();
    const both = await Promise.all([
      api.post(`/api/runs/${run}/answer`, { text: "one", question }),
      api.post(`/api/runs/${run}/answer`, { text: "two", question }),
    ]);
    const statuses = both.map(({ status }) => status).sort();
    expect(statuses).toEqual([202, 409]);
    const again = await api.post(`/api/runs/${run}/answer`, { text: "three", question });
    expect(refusal(again)).toEqual(problem(409, "USER.FACADE.DUPLICATE_RESPONSE"));
    expect((await api.post(`/api/runs/${run}/answer`, { text: "" })).status).toBe(202);
    const events = await api.whole(run);
    const answered = events.events.filter(({ event }) => event === "input.answered");
    expect(answered).toHaveLength(2);
  });
  test("that was not asked for, or to a run that has ended, is refused", async () => {
    const asleep = await api.start("asleep");
    expect(refusal(await api.post(`/api/runs/${asleep.run}/answer`, { text: "x" }))).toEqual(
      problem(409, "USER.FACADE.INPUT_REJECTED"),
    );
    await api.post(`/api/runs/${asleep.run}/cancel`);
    const { run, question } = await parked();
    expect(refusal(await api.post(`/api/runs/${run}/answer`, { text: "x", question: "not-there" }))).toEqual(
      problem(409, "USER.FACADE.INPUT_REJECTED"),
    );
    expect((await api.post(`/api/runs/${run}/cancel`)).status).toBe(202);
    await api.whole(run);
    for (const body of [{ text: "late" }, { text: "late", question }])
      expect(refusal(await api.post(`/api/runs/${run}/answer`, body))).toEqual(
        problem(409, "USER.FACADE.INPUT_REJECTED"),
      );
    expect(await api.run(run)).toMatchObject({ status: "cancelled" });
  });
  test("is text or values: neither, or both, is no answer", async () => {
    const { run, question } = await parked();
    for (const body of [{}, { question }, { text: "x", values: { y: "z" } }])
      expect(refusal(await api.post(`/api/runs/${run}/answer`, body))).toEqual(
        problem(400, "USER.SERVE.INVALID_REQUEST"),
      );
    expect((await api.post(`/api/runs/${run}/answer`, { text: "" })).status).toBe(202);
  });
  test("that comes with the question, before its turn has ended, is waited with", async () => {
    const { run } = await api.start("talk");
    const reader = await api.events(run);
    const statuses: number[] = [];
    const said: Promise<unknown>[] = [];
    const hear = ({ event }: { event: string }): void => {
      if (event === "input.required")
        said.push(
          api
            .post(`/api/runs/${run}/answer`, { text: said.length < 3 ? "more" : "" })
            .then(({ status }) => statuses.push(status)),
        );
    };
    for (const there of reader.events) hear(there); // they may have come with the head of the answer
    reader.onEvent = hear;
    await reader.ended;
    await Promise.all(said);
    expect(statuses).toEqual([202, 202, 202, 202]);
  });
});

describe("a permission", () => {
  test("is decided once, by one of its options, in its own session", async () => {
    const { run, session } = await api.start("gate");
    const other = await api.start("gate");
    const reader = await api.events(run);
    const { data } = await reader.hears("permission.requested");
    const { permission } = data["payload"] as { permission: string };
    const at = `/api/sessions/${session}/decide`;
    const no = problem(409, "USER.FACADE.INPUT_REJECTED");
    expect(refusal(await api.post(at, { permission, option: "perhaps" }))).toEqual(no);
    expect(refusal(await api.post(at, { permission: "other", option: "allow" }))).toEqual(no);
    expect(refusal(await api.post(`/api/sessions/${other.session}/decide`, { permission, option: "allow" }))).toEqual(
      no,
    );
    const both = await Promise.all([
      api.post(at, { permission, option: "deny" }),
      api.post(`/api/runs/${run}/decide`, { permission, option: "deny" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    await reader.ended;
    expect(refusal(await api.post(at, { permission, option: "allow" }))).toEqual(no);
    await api.post(`/api/runs/${other.run}/cancel`);
  });
});
