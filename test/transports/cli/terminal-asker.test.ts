import { describe, expect, it } from "vitest";
import type { Exchange } from "../../../actors/troupe.ts";
import { asker } from "../../../transports/cli/terminal-asker.ts";
import { type Recorded, recordingIo } from "./io.ts";

const requested = (permission: string): Exchange => ({
  type: "permission.requested",
  payload: {
    permission,
    title: `Trust ${permission}?`,
    kind: "execute",
    message: "m",
    options: [
      { id: "trust", name: "Trust", kind: "allow_always" },
      { id: "refuse", name: "Do not run", kind: "reject_once" },
    ],
  },
  seq: 1,
  at: 1,
});
const resolved = (permission: string): Exchange => ({
  type: "permission.resolved",
  payload: { permission, outcome: "cancelled" },
  seq: 2,
  at: 2,
});

/** Decisions as they are made; `made(n)` waits for the n-th. */
function decisions() {
  const list: [string, string | null][] = [];
  const waiting: { many: number; resolve: () => void }[] = [];
  return {
    list,
    decide: async (permission: string, option: string | null) => {
      list.push([permission, option]);
      for (const { many, resolve } of waiting) if (list.length >= many) resolve();
    },
    made: (many: number) =>
      new Promise<void>((resolve) => (list.length >= many ? resolve() : waiting.push({ many, resolve }))),
  };
}

async function answered(io: Recorded, permissions: string[]): Promise<[string, string | null][]> {
  const made = decisions();
  asker(made, io).see(permissions.map(requested));
  await made.made(permissions.length);
  return made.list;
}

describe("asker", () => {
  it("asks on the terminal, one question at a time, in their order", async () => {
    const io = recordingIo({ asks: true, answers: ["1", "2"] });
    expect(await answered(io, ["a", "b"])).toEqual([
      ["a", "trust"],
      ["b", "refuse"],
    ]);
    expect(io.written.err.split("\n").filter((line) => line.startsWith("?"))).toEqual(["? Trust a?", "? Trust b?"]);
    expect(io.written.out).toBe("");
  });

  it("breaks its lines at the width of where it asks, wherever the output goes", async () => {
    const io = recordingIo({ asks: true, answers: ["1"], columns: null, errColumns: 24 });
    await answered(io, ["a"]);
    expect(io.written.err).toContain("\n  1) Trust (allow, from\n  now on)\n");
  });

  it("asks once where the log says a question that is still open again", async () => {
    const io = recordingIo({ asks: true, answers: ["1", "2"] });
    const made = decisions();
    const questions = asker(made, io);
    questions.see([requested("a"), requested("a"), requested("b")]);
    await made.made(2);
    expect(made.list).toEqual([
      ["a", "trust"],
      ["b", "refuse"],
    ]);
  });

  it("asks again after an answer that is none, and gives up in the end", async () => {
    const io = recordingIo({ asks: true, answers: ["maybe", "Do"] });
    expect(await answered(io, ["a"])).toEqual([["a", "refuse"]]);
    expect(io.written.err).toContain("Answer with the number of an option, or y or n.");
    expect(await answered(recordingIo({ asks: true, answers: ["", "", "", "1"] }), ["a"])).toEqual([["a", null]]);
  });

  it("has no answer where no one can be asked, or no one answers", async () => {
    const io = recordingIo({ asks: false, answers: ["1"] });
    expect(await answered(io, ["a", "b"])).toEqual([
      ["a", null],
      ["b", null],
    ]);
    // Once, with the way to be asked.
    expect(io.written.err).toBe(
      "troupe: there is no one to ask here, which is a no: `troupe run --detach` leaves a question open for `troupe decide`\n",
    );
    expect(await answered(recordingIo({ asks: true }), ["a"])).toEqual([["a", null]]);
    // A process in the background ends with the job.
    const job = recordingIo({ asks: false, env: { CI: "true" } });
    await answered(job, ["a"]);
    expect(job.written.err).toBe("troupe: there is no one to ask here, which is a no: on a terminal you are asked\n");
  });

  it("says what a tool would have done where no one can be asked", async () => {
    const io = recordingIo({ asks: false });
    const made = decisions();
    const row = requested("a");
    if (row.type !== "permission.requested") throw new Error("no question");
    asker(made, io).see([{ ...row, payload: { ...row.payload, tool: "Bash", input: { command: "rm -rf build" } } }]);
    await made.made(1);
    expect(io.written.err.split("\n").slice(1)).toEqual(["? Trust a?", "  m", "  command: rm -rf build", ""]);
  });

  it("leaves a question open where someone elsewhere may decide it, and says how", async () => {
    const io = recordingIo({ asks: false });
    const made = decisions();
    const questions = asker(made, io, { elsewhere: "r1" });
    questions.see([requested("a"), { ...requested("b"), run: "r2" }]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(made.list).toEqual([]);
    const told = (name: string, run: string): string =>
      `? Trust ${name}?\n  m\n  1) Trust (allow, from now on)\n  2) Do not run (refuse, this time)\n` +
      `  troupe decide ${run} --permission ${name} <trust | refuse>\n`;
    expect(io.written).toEqual({ out: "", err: told("a", "r1") + told("b", "r2") });
  });

  it("takes a question back when it is answered elsewhere or the run is being stopped", async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    const io = recordingIo({
      asks: true,
      readLine: (signal) => {
        asked.resolve(signal);
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve(null)));
      },
    });
    const made = decisions();
    const questions = asker(made, io);
    questions.see([requested("a")]);
    const signal = await asked.promise;
    questions.see([resolved("a")]);
    expect(signal.aborted).toBe(true);
    questions.withdraw();
    questions.see([requested("b")]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(made.list).toEqual([]);
  });
});
