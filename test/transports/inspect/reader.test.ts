import { expect, test } from "vitest";
import type { NumberedInspection } from "../../../projections/inspection/history.ts";
import { InspectionReader, MOST_WAITING } from "../../../transports/inspect/reader.ts";
import { moved } from "../../projections/inspection/seen.ts";

const turns = async (many: number): Promise<void> => {
  for (let n = 0; n < many; n++) await new Promise((resolve) => setImmediate(resolve));
};
const told = (many: number): NumberedInspection[] =>
  Array.from({ length: many }, (_, at) => ({
    n: at + 1,
    seen: moved("run/r", `e${at}`)[0] as NumberedInspection["seen"],
  }));

test("I1: it gets them in order, as much as it takes, and each becomes text in its turn", async () => {
  const sent: string[] = [];
  let made = 0;
  let takes = 3;
  const reader = new InspectionReader({
    send: (text) => {
      sent.push(JSON.parse(text).event.type);
      return --takes > 0;
    },
    together: (sends) => sends(),
    tooSlow: () => sent.push("too slow"),
    session: null,
  });
  const counted = told(8).map(({ n, seen }) => ({
    n,
    seen: {
      ...seen,
      event: () => {
        made++;
        return (seen as { event: () => string }).event();
      },
    } as NumberedInspection["seen"],
  }));
  reader.tell(counted);
  expect(sent).toEqual([]); // not within the turn that tells it
  await turns(3);
  expect([sent, made]).toEqual([["e0", "e1", "e2"], 3]);
  takes = 100;
  reader.free();
  await turns(3);
  expect(sent).toEqual(["e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7"]);
});

test("I2: one that takes nothing is given up, once, and told nothing more", async () => {
  const said: string[] = [];
  const send = (): boolean => said.push("message") < 0;
  const reader = new InspectionReader({
    send,
    together: (sends) => sends(),
    tooSlow: () => said.push("too slow"),
    session: null,
  });
  reader.tell(told(10));
  await turns(2);
  reader.tell(told(MOST_WAITING));
  reader.tell(told(MOST_WAITING));
  reader.free();
  await turns(3);
  expect(said).toEqual(["message", "too slow"]);
});

test("it hears of one session where it asks so", async () => {
  const sent: string[] = [];
  const reader = new InspectionReader({
    send: (text) => sent.push(text) > 0,
    together: (sends) => sends(),
    tooSlow: () => undefined,
    session: "session/other",
  });
  reader.tell(told(5));
  await turns(2);
  expect(sent).toEqual([]);
});
