import { describe, expect, it } from "vitest";
import { readSession } from "../../../machines/session/reading.ts";
import { MOST_MEMORIES } from "../../../machines/session/vocabulary.ts";
import { sessionMachine } from "../../../machines/session-machine.ts";
import { Solo } from "../../support/machine.ts";

const session = () => new Solo(sessionMachine, "session/s1", { cwd: "/", principal: "u" }, null);
const answer = { kind: "allow_always", agent: "a", permission: "p0", at: 10, until: null as number | null };
const made = (digest: string, kind = "allow_always", until: number | null = null) => ({
  ...answer,
  ...{ type: "memory.made", digest, kind, until },
});
const wanted = (digest: string, at: number) => ({ type: "memory.wanted", from: "permission/p1", digest, at });
function recalled(solo: Solo, digest: string, at = 11): unknown {
  expect(solo.tell(wanted(digest, at))).toEqual(["send permission/p1 memory.told"]);
  const effect = solo.effects.at(-1);
  return effect?.do === "send" && "kind" in effect.event ? effect.event.kind : undefined;
}

describe("what a session remembers (I5)", () => {
  it("is sent to the permission that asks, by digest", () => {
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

  it("holds the last answer", () => {
    const solo = session();
    solo.tell(made("d1"));
    solo.tell(made("d1", "reject_always"));
    expect(recalled(solo, "d1")).toBe("reject_always");
  });

  it("is empty once it is cleared", () => {
    const solo = session();
    solo.tell(made("d1"));
    solo.tell({ type: "memory.cleared" });
    expect(recalled(solo, "d1")).toBeNull();
  });

  it("counts while its time has not passed, and no longer (H38)", () => {
    const solo = session();
    solo.tell(made("d1", "allow_always", 20));
    expect([19, 20, 21].map((at) => recalled(solo, "d1", at))).toEqual(["allow_always", null, null]);
  });

  it("can be read, and taken back one by one (H38)", () => {
    const solo = session();
    for (const digest of ["d1", "d2"]) solo.tell(made(digest));
    const forgotten = (digest: string) => ({ type: "memory.forgotten", digest });
    expect(solo.can(forgotten("d3"))).toBe(false);
    solo.tell(forgotten("d1"));
    expect([recalled(solo, "d1"), recalled(solo, "d2")]).toEqual([null, "allow_always"]);
    const { kind } = answer;
    const dateless = { kind, agent: "", permission: "", at: 0, until: null };
    expect(readSession("idle", { memory: { d1: answer, d2: kind } }).remembered).toEqual([
      { digest: "d1", ...answer },
      { digest: "d2", ...dateless },
    ]);
  });

  it("is bounded: the oldest answer goes first", () => {
    const solo = session();
    for (let n = 0; n <= MOST_MEMORIES; n++) solo.tell(made(`d${n}`));
    expect([recalled(solo, "d0"), recalled(solo, "d1"), recalled(solo, `d${MOST_MEMORIES}`)]).toEqual([
      null,
      "allow_always",
      "allow_always",
    ]);
  });

  it.each(["constructor", "__proto__", "toString"])("holds nothing under %s", (digest) => {
    expect(recalled(session(), digest)).toBeNull();
  });
});
