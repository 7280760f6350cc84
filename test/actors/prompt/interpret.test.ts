/** A prompt that is a command: the run that it is, or what is explained. */
import { describe, expect, test } from "vitest";
import type { Consent } from "../../../actors/api/records.ts";
import type { Block } from "../../../machines/exchange.ts";
import { house, workflow } from "../catalogue/support.ts";
import { ask, explained, host, prepared } from "./asked.ts";

describe("a command", () => {
  test("I3: is a run with its inputs resolved and only the variables that expressions name", async () => {
    const one = prepared();
    const { workflow: document } = await one.catalogue.load(one.cwd, "review");
    expect(await ask(one, "/review --input=file=src/a.ts n=5")).toEqual({
      type: "run",
      run: null,
      workflow: document,
      inputs: { file: "src/a.ts", n: 5 },
      env: { CI: "1" },
      context: { WorkingDir: one.cwd, User: "ann", Hostname: "box" },
      trust: "ask",
      consent: { directories: [one.cwd], files: [] },
    });
  });

  test.each<[boolean, Consent, string]>([
    [true, "nobody", "trusted"],
    [true, "ask", "trusted"],
    [false, "yes", "trusted"],
    [false, "ask", "ask"],
    [false, "nobody", "refuse"],
    // A program without types.
    [false, "" as Consent, "refuse"],
    [false, null as unknown as Consent, "refuse"],
  ])("trusted %j, consent %s: %s", async (trusted, consent, trust) => {
    expect(await ask(prepared(), "/echo hi", { trusted, consent })).toMatchObject({ type: "run", trust });
  });

  test("free text is the text input, with references where they stand", async () => {
    const link: Block = { type: "resource_link", name: "a.ts", uri: "file:///w/a.ts" };
    const blocks: Block[] = [{ type: "text", text: "/echo it's in " }, link, { type: "text", text: ", isn't it?" }];
    expect(await ask(prepared(), blocks)).toMatchObject({
      inputs: { text: "it's in [a.ts](file:///w/a.ts), isn't it?" },
    });
    expect(await ask(prepared(), [{ type: "text", text: "/echo" }, link])).toMatchObject({
      inputs: { text: "[a.ts](file:///w/a.ts)" },
    });
  });

  test("that is not known is explained with the nearest and all there are", async () => {
    expect(await explained(prepared(), "/reveiw x")).toEqual({
      code: "USER.FACADE.WORKFLOW_NOT_FOUND",
      text: [
        'There is no workflow "reveiw": did you mean "review"?',
        "",
        "Commands:",
        '- `/broken`: cannot be run: .troupe/workflows/broken.yaml:4:43: state "b" does not exist: expected one of a, c',
        "- `/echo text=<string>`",
        "- `/review file=<string> [n=3]`: Reviews a file",
        "- `/loose`",
      ].join("\n"),
    });
  });

  test("in a directory without workflows says what to do", async () => {
    const one = house();
    expect((await explained(one, "/x")).text).toMatch(
      /There are no workflows for .*: put one into `\.troupe\/workflows`/s,
    );
  });

  test("with faulty inputs is explained with all faults, the inputs and an example", async () => {
    expect(await explained(prepared(), "/review n=99")).toEqual({
      code: "USER.INPUT.MISSING",
      text: [
        "/review was not run:",
        '- input "file" (what to read) is required and was not given',
        '- input "n" is "99": expected at most 9',
        "",
        "Inputs:",
        "- `file` (string, required, .ts): what to read",
        "- `n` (integer, default 3, at least 1, at most 9)",
        "",
        "Example: `/review file='…'`",
      ].join("\n"),
    });
    expect(await explained(prepared(), "/review fiel=a.ts")).toMatchObject({
      code: "USER.INPUT.UNKNOWN",
      text: expect.stringMatching(/there is no input "fiel"\. Did you mean "file"\? Its inputs are file, n\./),
    });
    expect((await explained(prepared(), "/loose x")).text).toMatch(/: it takes no inputs\n\nExample: `\/loose`$/);
  });

  test("T8: given an input twice or a quote that is not closed is refused", async () => {
    expect(await explained(prepared(), "/echo text=a text=b")).toMatchObject({
      code: "USER.INPUT.INVALID_FORMAT",
      text: expect.stringMatching(/^Input "text" is given twice/),
    });
    expect(await explained(prepared(), "/echo text='a")).toMatchObject({ code: "USER.INPUT.INVALID_FORMAT" });
  });

  test("whose file is broken is explained with its lines", async () => {
    const { code, text } = await explained(prepared(), "/broken");
    expect(code).toBe("WORKFLOW.VALIDATION.FAILED");
    expect(text).toMatch(/^"broken" cannot be run\. \.troupe\/workflows\/broken\.yaml:4:43: state "b" does not exist/);
    expect(text).toContain("> 4 |   a: {type: step, command: x, on_success: b}");
    expect(text).toMatch(/`troupe validate broken` shows everything that is wrong\.$/);
  });

  test.each(["/../secret.yaml", "/review.yaml", "/%2e%2e%2fsecret", "//etc/x.yml", "/~/x"])(
    "I2: %s is no way to a file",
    async (text) => {
      const one = prepared();
      one.write("work/review.yaml", workflow("outside"));
      one.write("secret.yaml", workflow("outside"));
      expect((await explained(one, text)).code).toBe("USER.FACADE.IDENTIFIER_MALFORMED");
    },
  );

  test("needs the variables that its document declares", async () => {
    const { code, text } = await explained(prepared(), "/review file=a.ts", { host: { ...host, environment: {} } });
    expect(code).toBe("USER.INPUT.MISSING");
    expect(text).toMatch(/the variable STAGE of the environment is not set.*: set it where troupe is started/);
  });

  test("a file must exist below the directory of the session", async () => {
    const one = prepared();
    one.write(
      "work/.troupe/workflows/read.yaml",
      workflow("read", "inputs: [{name: f, validation: {file_exists: true}}]\n"),
    );
    expect(await ask(one, "/read f=.troupe/workflows/read.yaml")).toMatchObject({ type: "run" });
    expect((await explained(one, "/read f=gone")).code).toBe("USER.INPUT.MISSING_FILE");
  });
});
