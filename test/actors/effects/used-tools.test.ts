import { expect, test } from "vitest";
import { UsedTools } from "../../../actors/effects/used-tools.ts";

test("one entry for each call, in order, with what was said of it last; one that is open has failed (I1, I2)", () => {
  const used = new UsedTools();
  used.take({ type: "text", text: "hello" });
  expect(used.left).toEqual({});
  used.take({ type: "tool", tool: { call: "a", status: "pending" } });
  used.take({ type: "tool", tool: { call: "b", title: "Write it", kind: "edit", status: "in_progress" } });
  used.take({ type: "tool", tool: { call: "a", title: "Run it", kind: "execute", status: "completed" } });
  expect(used.left).toEqual({
    Tools: [
      { Title: "Run it", Kind: "execute", Status: "completed" },
      { Title: "Write it", Kind: "edit", Status: "failed" },
    ],
  });
});

test("stays small: the first of very many, and short titles (I1)", () => {
  const used = new UsedTools();
  const title = "x".repeat(10_000);
  for (let n = 0; n < 10_000; n++)
    used.take({ type: "tool", tool: { call: String(n), title: `${n} ${title}`, status: "completed" } });
  const { Tools = [] } = used.left;
  expect([Tools.length, Tools[0]?.Title.length, Tools.at(-1)?.Title.slice(0, 3)]).toEqual([100, 200, "99 "]);
  expect(JSON.stringify(Tools).length).toBeLessThan(32 * 1024);
});
