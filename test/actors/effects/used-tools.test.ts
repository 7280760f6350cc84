import { expect, test } from "vitest";
import { UsedTools } from "../../../actors/effects/used-tools.ts";

const DONE = { status: "completed" } as const;
const FAILED = { status: "failed", reason: "It broke." } as const;

test("one entry for each call, in order, with what was said of it last; one that is open has ended as its agent has (I1, I2)", () => {
  const used = new UsedTools();
  used.take({ type: "text", text: "hello" });
  expect(used.left(FAILED)).toEqual({});
  used.take({ type: "tool", tool: { call: "a", status: "pending" } });
  used.take({ type: "tool", tool: { call: "b", title: "Write it", kind: "edit", status: "in_progress" } });
  used.take({ type: "tool", tool: { call: "a", title: "Run it", kind: "execute", status: "completed" } });
  for (const end of [DONE, FAILED])
    expect(used.left(end)).toEqual({
      Tools: [
        { Title: "Run it", Kind: "execute", Status: "completed" },
        { Title: "Write it", Kind: "edit", Status: end.status },
      ],
    });
});

test("stays small: the first of very many, and short titles (I1)", () => {
  const used = new UsedTools();
  const title = "x".repeat(10_000);
  for (let n = 0; n < 10_000; n++)
    used.take({ type: "tool", tool: { call: String(n), title: `${n} ${title}`, status: "completed" } });
  const { Tools = [] } = used.left(DONE);
  expect([Tools.length, Tools[0]?.Title.length, Tools.at(-1)?.Title.slice(0, 3)]).toEqual([100, 200, "99 "]);
  expect(JSON.stringify(Tools).length).toBeLessThan(32 * 1024);
});
