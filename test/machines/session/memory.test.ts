import { describe, expect, it } from "vitest";
import { MOST_MEMORIES } from "../../../machines/session/vocabulary.ts";
import { sessionMachine } from "../../../machines/session-machine.ts";
import { Solo } from "../../support/machine.ts";

const session = () => new Solo(sessionMachine, "session/s1", { cwd: "/", principal: "u" }, null);
const made = (digest: string, kind = "allow_always") => ({ type: "memory.made", digest, kind });
const wanted = (digest: string) => ({ type: "memory.wanted", from: "permission/p1", digest });
function recalled(solo: Solo, digest: string): unknown {
  expect(solo.tell(wanted(digest))).toEqual(["send permission/p1 memory.told"]);
  const effect = solo.effects.at(-1);
  return effect?.do === "send" && "kind" in effect.event ? effect.event.kind : undefined;
}

describe("what a session remembers (I5)", () => {
  it("is told to the permission that asks, by digest", () => {
    const solo = session();
    expect(recalled(solo, "d1")).toBeNull();
    expect(solo.tell(made("d1"))).toEqual([]);
    solo.tell(made("d2", "reject_always"));
    expect([recalled(solo, "d1"), recalled(solo, "d2"), recalled(solo, "d3")]).toEqual([
      "allow_always",
      "reject_always",
      null,
    ]);
  });

  it("is the last answer", () => {
    const solo = session();
    solo.tell(made("d1"));
    solo.tell(made("d1", "reject_always"));
    expect(recalled(solo, "d1")).toBe("reject_always");
  });

  it("is forgotten at once", () => {
    const solo = session();
    solo.tell(made("d1"));
    solo.tell({ type: "memory.cleared" });
    expect(recalled(solo, "d1")).toBeNull();
  });

  it("is bounded: the oldest goes first", () => {
    const solo = session();
    for (let n = 0; n <= MOST_MEMORIES; n++) solo.tell(made(`d${n}`));
    expect([recalled(solo, "d0"), recalled(solo, "d1"), recalled(solo, `d${MOST_MEMORIES}`)]).toEqual([
      null,
      "allow_always",
      "allow_always",
    ]);
  });

  it.each(["constructor", "__proto__", "toString"])("is nothing under %s", (digest) => {
    expect(recalled(session(), digest)).toBeNull();
  });
});
