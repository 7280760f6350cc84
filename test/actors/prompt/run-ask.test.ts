/** A run that is asked for by its workflow's name or path. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Consent } from "../../../actors/api/records.ts";
import type { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { runIntent } from "../../../actors/prompt/interpret.ts";
import { type House, workflow } from "../catalogue/support.ts";
import { host, prepared } from "./asked.ts";

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
