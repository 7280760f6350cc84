import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Consent } from "../../../actors/api/records.ts";
import type { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { interpretPrompt, MAX_PROMPT_BYTES, type PromptHost, runIntent } from "../../../actors/prompt/interpret.ts";
import type { Intent } from "../../../machines/contracts.ts";
import type { Block } from "../../../machines/exchange.ts";
import { type House, house, workflow } from "../catalogue/support.ts";

const REVIEW = `name: Review
description: Reviews a file
env: [STAGE]
inputs:
  - {name: file, required: true, description: what to read, validation: {file_extension: [.ts]}}
  - {name: n, type: integer, default: 3, validation: {min: 1, max: 9}}
states:
  initial: a
  a:
    type: step
    command: echo {{.inputs.file}} {{.inputs.n}}
    transitions:
      - {when: "env.CI == '1' and env.TROUPE_TOKEN == ''", goto: done}
      - {goto: done}
  done: {type: terminal}
`;
const BROKEN =
  "name: broken\nstates:\n  initial: a\n  a: {type: step, command: x, on_success: b}\n  c: {type: terminal}\n";

function prepared(): House {
  const one = house();
  one.write("work/.troupe/workflows/review.yaml", REVIEW);
  one.write("work/.troupe/workflows/echo.yaml", workflow("echo", "inputs: [{name: text, required: true}]\n"));
  one.write("work/.troupe/workflows/broken.yaml", BROKEN);
  one.write("work/.awf/workflows/loose.yaml", workflow("loose"));
  return one;
}

const host: PromptHost = {
  user: "ann",
  hostname: "box",
  named: async () => [],
  environment: { STAGE: "test", CI: "1", TROUPE_TOKEN: "secret", OTHER: "x" },
};

type Options = { consent?: Consent; trusted?: boolean; defaultWorkflow?: string; host?: PromptHost };
async function ask({ catalogue, cwd }: House, prompt: string | Block[], options: Options = {}) {
  const blocks: Block[] = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
  const { consent = "ask", trusted = false, defaultWorkflow } = options;
  const request = { blocks, consent, ...(defaultWorkflow === undefined ? {} : { defaultWorkflow }) };
  return interpretPrompt(
    catalogue,
    request,
    { cwd, trusts: () => trusted, isKept: () => false, mayTrust: () => true },
    options.host ?? host,
  );
}

/** The explanation that a prompt must get, apart from the stop reason that all have. */
async function explained(
  one: House,
  prompt: string | Block[],
  options: Options = {},
): Promise<{ code: string; text: string }> {
  const asked = await ask(one, prompt, options);
  const answer: Intent =
    asked.type === "text" ? asked.otherwise : asked.type === "unreadable" ? asked.explanation : asked;
  if (answer.type !== "explain") throw new Error(`it asks for ${answer.type}`);
  expect(answer.stopReason).toBe("refusal");
  return { code: answer.fault.code, text: answer.text };
}

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
        'there is no workflow "reveiw": did you mean "review"?',
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
      text: expect.stringMatching(/^input "text" is given twice/),
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

describe("text that is no command", () => {
  test("C28: explains itself", async () => {
    const one = prepared();
    expect((await ask(one, "hello")).type).toBe("text");
    const { code, text } = await explained(one, "hello");
    expect(code).toBe("USER.PROMPT.NO_COMMAND");
    expect(text).toMatch(
      /^Troupe runs workflows: a prompt begins with \/ and the name of one\.\n\nCommands:\n- `\/broken/,
    );
  });

  test("C28: is the text of the default workflow, as it stands", async () => {
    const text = "don't --input=x=1 'quote\" k=v";
    expect(await ask(prepared(), text, { defaultWorkflow: "echo" })).toMatchObject({
      type: "text",
      otherwise: { type: "run", inputs: { text } },
    });
  });

  test("a default workflow that is not there or takes no text is explained", async () => {
    expect((await explained(prepared(), "hi", { defaultWorkflow: "gone" })).code).toBe(
      "USER.FACADE.WORKFLOW_NOT_FOUND",
    );
    expect((await explained(prepared(), "hi", { defaultWorkflow: "loose" })).code).toBe("USER.INPUT.INVALID_FORMAT");
  });

  test.each<[string, Block[]]>([
    ["no blocks", []],
    ["white space", [{ type: "text", text: " \n" }]],
  ])("C25: an empty prompt (%s) explains itself, whatever was interrupted", async (_, blocks) => {
    const asked = await ask(prepared(), blocks, { defaultWorkflow: "echo" });
    expect(asked).toMatchObject({ type: "explain", stopReason: "refusal", fault: { code: "USER.INPUT.EMPTY" } });
  });

  test("a reference alone is text", async () => {
    const link: Block = { type: "resource_link", name: "a", uri: "file:///a" };
    expect(await ask(prepared(), [link], { defaultWorkflow: "echo" })).toMatchObject({
      otherwise: { inputs: { text: "[a](file:///a)" } },
    });
  });

  test("too much text and blocks of other kinds are refused", async () => {
    expect((await explained(prepared(), `/echo ${"é".repeat(MAX_PROMPT_BYTES / 2)}`)).code).toBe(
      "USER.PROMPT.TOO_LARGE",
    );
    const image: Block = { type: "unknown", value: { type: "image" } };
    expect((await explained(prepared(), [image])).code).toBe("USER.PROMPT.UNSUPPORTED_BLOCK");
  });
});

describe("runAsk", () => {
  const run = ({ catalogue, cwd }: House, name: string, inputs: { [name: string]: string } = {}) =>
    runIntent(
      catalogue,
      { workflow: name, inputs, consent: "nobody" },
      { cwd, trusts: () => false, isKept: () => false, mayTrust: () => true },
      host,
    );
  test("needs trust for the directory of a file that stands elsewhere", async () => {
    const { catalogue, cwd, root, write, link } = prepared();
    const file = write("elsewhere/echo.yaml", workflow("echo"));
    link("work/link", "elsewhere");
    const trust = async (name: string, consent: Consent, ...trusted: string[]) => {
      const place = {
        ...{ cwd, trusts: (directory: string) => trusted.includes(directory), mayTrust: () => true },
        isKept: (directory: string) => trusted.includes(directory),
      };
      const { trust, consent: asked } = await runIntent(
        catalogue,
        { workflow: name, inputs: {}, consent },
        place,
        host,
      );
      return [trust, asked?.directories];
    };
    const elsewhere = join(root, "elsewhere");
    for (const name of [file, "../elsewhere/echo.yaml", "./link/echo.yaml"]) {
      expect(await trust(name, "ask", cwd)).toEqual(["ask", [elsewhere]]);
      expect(await trust(name, "nobody", cwd)).toEqual(["refuse", [elsewhere]]);
      expect(await trust(name, "ask", elsewhere)).toEqual(["ask", [cwd]]);
      expect(await trust(name, "ask")).toEqual(["ask", [cwd, elsewhere]]);
      expect(await trust(name, "nobody", cwd, elsewhere)).toEqual(["trusted", undefined]);
      expect(await trust(name, "yes")).toEqual(["trusted", undefined]);
    }
    const user = write("home/.local/share/troupe/workflow-packs/own/workflows/w.yaml", workflow("w"));
    write("home/.local/share/troupe/workflow-packs/own/manifest.yaml", "name: own\nversion: 1.0.0\nworkflows: [w]\n");
    for (const name of ["own/w", user]) expect(await trust(name, "nobody", cwd)).toEqual(["trusted", undefined]);
  });

  const refused = (promise: Promise<unknown>): Promise<TroupeError> =>
    promise.then(
      () => expect.unreachable("it was not refused"),
      (error: TroupeError) => error,
    );

  test("is the run of a workflow by id or path", async () => {
    const one = prepared();
    expect(await run(one, "echo", { text: "k=v" })).toMatchObject({
      type: "run",
      inputs: { text: "k=v" },
      trust: "refuse",
    });
    expect(await run(one, "./.troupe/workflows/echo.yaml", { text: "1" })).toMatchObject({ inputs: { text: "1" } });
  });

  test("throws what is wrong, all faults as data", async () => {
    const error = await refused(run(prepared(), "review", { n: "x", zzz: "1" }));
    expect(error.code).toBe("USER.INPUT.MISSING");
    expect((error.details["faults"] as { code: string }[]).map(({ code }) => code)).toEqual([
      "USER.INPUT.MISSING",
      "USER.INPUT.INVALID_FORMAT",
      "USER.INPUT.UNKNOWN",
    ]);
    expect((await refused(run(prepared(), "gone"))).code).toBe("USER.FACADE.WORKFLOW_NOT_FOUND");
    expect((await refused(run(prepared(), "broken"))).code).toBe("WORKFLOW.VALIDATION.FAILED");
  });

  test("passes on names that are not declared in AWF's places only", async () => {
    expect(await run(prepared(), "loose", { extra: "1" })).toMatchObject({ inputs: { extra: "1" } });
    expect((await refused(run(prepared(), "echo", { text: "a", extra: "1" }))).code).toBe("USER.INPUT.UNKNOWN");
  });
});
