/** Who may continue a conversation: one process at a time. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { KeptConversations } from "../../../actors/conversations/kept.ts";
import { HEAD, kept, parts, state, talked, talkedAndLeft } from "./talked.ts";

test("one process at a time continues it, and a killed one leaves it free", () => {
  talkedAndLeft();
  const other = `
    const { KeptConversations } = await import(${JSON.stringify(new URL("../../../actors/conversations/kept.ts", import.meta.url))});
    const { NO_MASKING } = await import(${JSON.stringify(new URL("../../../actors/masking/masking.ts", import.meta.url))});
    const kept = new KeptConversations(${JSON.stringify(state)});
    const recorder = kept.goOn("c1", { mask: NO_MASKING, now: Date.now });
    recorder.sent({ id: 9, method: "session/prompt", params: { sessionId: "s1", prompt: [] } });
    if (process.argv.at(-1) === "die") process.kill(process.pid, "SIGKILL");
    recorder.close(); kept.leave("c1"); kept.close();`;
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", other, "--", ...args], {
      encoding: "utf8",
    });
  const mine = kept.goOn("c1", parts());
  expect(run().stderr).toContain("USER.CONVERSATION.OPEN_ELSEWHERE");
  mine.close();
  kept.leave("c1");
  expect(run("die").signal).toBe("SIGKILL");
  expect(kept.find("c1")).toMatchObject({ turn: "open", isOpen: false, prompts: 2 });
  const again = kept.goOn("c1", parts());
  again.close();
  kept.leave("c1");
  expect(run()).toMatchObject({ status: 0, stderr: "" });
  kept.remove("c1");
  expect(kept.list()).toEqual([]);
});

test("one that begins when another was left, or beside one that is left, is this process's too (I2)", () => {
  const others = new KeptConversations(state);
  const isOpen = (id: string): boolean | undefined => others.find(id)?.isOpen;
  const begin = (id: string): void => void talked(kept.begin({ ...HEAD, id }, parts()));
  begin("c1");
  kept.leave("c1");
  kept.close(); // none is open: it changes nothing
  begin("c2");
  begin("c3");
  expect([isOpen("c1"), isOpen("c2"), isOpen("c3")]).toEqual([false, true, true]);
  kept.leave("c2");
  expect([isOpen("c2"), isOpen("c3")]).toEqual([false, true]);
  expect(() => others.goOn("c3", parts())).toThrow("is open in another terminal");
  kept.leave("c3");
  expect(isOpen("c3")).toBe(false);
});

test("after one was removed the next one is this process's too (I2)", () => {
  const others = new KeptConversations(state);
  kept.begin(HEAD, parts());
  kept.remove("c1");
  kept.begin({ ...HEAD, id: "c2" }, parts());
  expect(others.find("c2")?.isOpen).toBe(true);
});
