import { describe, expect, it } from "vitest";
import { TroupeError } from "../../../actors/troupe.ts";
import { unsetText } from "../../../machines/workflow/check/environment.ts";
import { fail } from "../../../transports/cli/failure.ts";
import { recordingIo } from "./io.ts";

const missing = new TroupeError("USER.RUN.NOT_FOUND", 'there is no run "x\u001b[2J"', { run: "x" });

describe("fail", () => {
  it("is one line, the code, and what to do", () => {
    const io = recordingIo();
    expect(fail(missing, io, "text")).toBe(1);
    expect(io.written).toEqual({
      out: "",
      err: 'troupe: there is no run "x"\n  [USER.RUN.NOT_FOUND] see `troupe history`\n',
    });
  });

  it("adds no other advice to a message that names the command", () => {
    const io = recordingIo();
    const message = "/my work is not trusted: read what it does, then troupe trust add '/my work'";
    fail(new TroupeError("USER.TRUST.REQUIRED", message), io, "text");
    expect(io.written.err).toBe(`troupe: ${message}\n  [USER.TRUST.REQUIRED]\n`);
  });

  it("does not send who lacks a variable of the environment to -i", () => {
    const io = recordingIo();
    fail(new TroupeError("USER.INPUT.MISSING", unsetText("STAGE")), io, "text");
    expect(io.written.err).toBe(`troupe: ${unsetText("STAGE")}\n  [USER.INPUT.MISSING]\n`);
  });

  it("does not send who named a workflow of another folder to the list of this one", () => {
    const io = recordingIo();
    const message = 'there is no workflow "x" in /a/b, but /a has one: run it from there';
    fail(new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", message, { folder: "/a" }), io, "text");
    expect(io.written.err).toBe(`troupe: ${message}\n  [USER.FACADE.WORKFLOW_NOT_FOUND]\n`);
  });

  it("does not send who named a file to the list either", () => {
    const io = recordingIo();
    const fault = new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", "there is no file /a/b.yaml", {
      file: "/a/b.yaml",
    });
    fail(fault, io, "text");
    expect(io.written.err).toBe("troupe: there is no file /a/b.yaml\n  [USER.FACADE.WORKFLOW_NOT_FOUND]\n");
  });

  it("indents what a message has beyond its first line", () => {
    const io = recordingIo();
    fail(new TroupeError("USER.INPUT.MISSING", "two inputs:\n- a\n- b"), io, "text");
    expect(io.written.err.split("\n").slice(0, 3)).toEqual(["troupe: two inputs:", "  - a", "  - b"]);
  });

  it("is one object on standard output for a program", () => {
    const io = recordingIo();
    expect(fail(missing, io, "json")).toBe(1);
    expect(io.written.err).toBe("");
    const message = 'there is no run "x\u001b[2J"';
    expect(JSON.parse(io.written.out)).toEqual({
      error: { code: "USER.RUN.NOT_FOUND", message, details: { run: "x" } },
    });
  });

  it("I1 shows a stack only when asked, and an unknown error as a fault of ours", () => {
    const quiet = recordingIo();
    expect(fail(new Error("boom"), quiet, "text")).toBe(4);
    expect(quiet.written.err).toBe(
      "troupe: boom\n  [SYSTEM.INTERNAL.UNMAPPED] this is a fault of troupe: TROUPE_DEBUG=1 shows where\n",
    );
    const loud = recordingIo({ env: { TROUPE_DEBUG: "1" } });
    fail(new Error("boom"), loud, "text");
    expect(loud.written.err).toContain("failure.test.ts");
  });

  it("colours its own words only where there are colours", () => {
    const io = recordingIo({ errColours: true });
    fail(missing, io, "text");
    expect(io.written.err).toBe(
      '\u001b[31mtroupe:\u001b[39m there is no run "x"\n\u001b[2m  [USER.RUN.NOT_FOUND] see `troupe history`\u001b[22m\n',
    );
  });
});
