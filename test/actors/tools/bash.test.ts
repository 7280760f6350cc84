/** Bash: what it is asked, what it shows, and how it ends. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toolbox } from "./support.ts";

const ok = (text: string) => ({ text, isError: false });
const NO = () => ({ allowed: false, message: "The user did not allow this.", abort: false }) as const;

describe("Bash", () => {
  it("asks, runs, streams, and gives the output and the exit code", async () => {
    const { call, asked, heard, cwd } = toolbox();
    expect(await call("Bash", { command: "exec 2>&1; echo out; echo err >&2; pwd" })).toEqual(ok(`out\nerr\n${cwd}\n`));
    expect(asked).toEqual([
      { name: "Bash", kind: "execute", input: { command: "exec 2>&1; echo out; echo err >&2; pwd", cwd } },
    ]);
    expect(heard.some((event) => event.type === "tool output")).toBe(true);
    expect(await call("Bash", { command: "echo bad; exit 3" })).toEqual({ text: "bad\n(exit code 3)", isError: true });
  });

  it("shows once what it prints (I3 of bash)", async () => {
    const { call, heard } = toolbox();
    await call("Bash", { command: "echo good" });
    await call("Bash", { command: "echo bad; exit 3" });
    await call("Bash", { command: "true" });
    const shown = heard.flatMap((event): unknown[] => {
      if (event.type === "tool output") return [event.text];
      if (event.type !== "tool" || event.tool.status === "in_progress") return [];
      return [event.tool.status, ...(event.tool.content ?? [])];
    });
    const text = (words: string) => ({ type: "text", text: words });
    expect(shown).toEqual([
      ...["good\n", "completed", "bad\n", "failed", text("exit code 3")],
      ...["completed", text("(no output)")],
    ]);
  });

  it("has the small environment only (T24)", async () => {
    process.env["TOOLS_CANARY"] = "canary";
    const { call } = toolbox();
    const { text } = await call("Bash", { command: "env" });
    delete process.env["TOOLS_CANARY"];
    expect(text).toContain("SEEN=1");
    expect(text).not.toContain("canary");
  });

  it("is not run where the answer is no", async () => {
    const { call, cwd } = toolbox({}, NO);
    expect(await call("Bash", { command: "touch ran" })).toMatchObject({ isError: true });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("ends at its time limit with all that it started", async () => {
    const { call, running } = toolbox();
    const { text } = await call("Bash", { command: "setsid sleep 600 & sleep 600", timeout_seconds: 0.5 });
    expect(text).toContain("it took longer than 0.5 s");
    expect(running()).toBe(0);
  });

  it("ends with its step (I2 of the toolbox)", async () => {
    const { box, call, heard, running, until } = toolbox();
    const calling = call("Bash", { command: "echo on; setsid sleep 600 & sleep 600" });
    await until(() => heard.some((event) => event.type === "tool output"));
    await box.close();
    expect(running()).toBe(0);
    expect(await calling).toMatchObject({ isError: true, text: expect.stringContaining("it was cancelled") });
    expect(await call("Bash", { command: "echo late" })).toEqual({ text: "the step has ended", isError: true });
  });

  it("keeps the end of a long output (I2 of bash)", async () => {
    const { call } = toolbox();
    const { text } = await call("Bash", { command: "yes 0123456789 | head -n 20000; echo end" });
    expect(text.startsWith("(the beginning is left out)\n")).toBe(true);
    expect(text.endsWith("end\n")).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThan(66_000);
  });

  it("begins with no half of a word, which may be a secret, where it keeps the end of an output (I2 of bash)", async () => {
    const { call } = toolbox();
    const { text } = await call("Bash", { command: `printf 'key-0123456789 %065530d' 0` });
    expect(text).toBe(`(the beginning is left out)\n${"0".repeat(65_530)}`);
  });
});
