/**
 * Every file of a folder of other people's workflows, with the built program. The valid ones are put in
 * `.awf/workflows`, validate with exit code 0 and can be run dry. The invalid ones are refused with line and column.
 * The folder is no part of this tree: TROUPE_CORPUS names it.
 */
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type House, openHouse } from "../support/house.ts";

const corpus = process.env["TROUPE_CORPUS"];
/** Packs: in one folder here, each in a folder of its own there. */
const OTHERS: readonly string[] = ["historic", "packs", "templates"];

const filesOf = (folder: string): string[] =>
  corpus === undefined || !existsSync(join(corpus, folder))
    ? []
    : readdirSync(join(corpus, folder)).filter((file) => /\.ya?ml$/.test(file));
const packed = (): string[] =>
  corpus === undefined || !existsSync(join(corpus, "valid", "packs"))
    ? []
    : readdirSync(join(corpus, "valid", "packs")).flatMap((pack) =>
        filesOf(join("valid", "packs", pack, "workflows")).map((file) => `${pack}/${file}`),
      );
const nameOf = (file: string): string => file.replace(/\.ya?ml$/, "");

let house: House;

describe.skipIf(corpus === undefined)(
  "the workflows of TROUPE_CORPUS (skipped unless it is set)",
  { timeout: 60_000 },
  () => {
    beforeAll(() => {
      house = openHouse([]);
      const awf = join(house.cwd, ".awf");
      mkdirSync(awf);
      const valid = join(corpus ?? "", "valid");
      cpSync(valid, join(awf, "workflows"), {
        recursive: true,
        filter: (path) => !OTHERS.some((each) => path === join(valid, each)),
      });
      cpSync(join(corpus ?? "", "invalid"), join(awf, "workflows"), { recursive: true });
      for (const [from, to] of [
        ["historic", "workflows"],
        ["packs", "workflow-packs"],
        ["templates", "templates"],
      ] as const)
        if (existsSync(join(valid, from))) cpSync(join(valid, from), join(awf, to), { recursive: true });
    });
    afterAll(async () => {
      await house.leave();
    });

    async function troupe(...args: string[]) {
      const started = house.troupe(args);
      const { code } = await started.ended;
      return { code, out: started.lines.join("\n"), err: started.stderr };
    }

    it.each([...filesOf("valid"), ...filesOf("valid/historic"), ...packed()].map(nameOf))("takes %s", async (name) => {
      const verdict = await troupe("validate", name, "--format", "json");
      const { findings } = JSON.parse(verdict.out) as { findings: { severity: string }[] };
      expect([verdict.code, findings.filter(({ severity }) => severity === "error")]).toEqual([0, []]);
      const dry = await troupe("run", name, "--dry-run");
      expect([dry.code, dry.err]).toEqual([0, ""]);
      expect(dry.out).toContain("dry run, nothing is started");
    });

    it.each(filesOf("invalid").map(nameOf))("refuses %s", async (name) => {
      const verdict = await troupe("validate", name, "--format", "json");
      const { findings } = JSON.parse(verdict.out) as { findings: { severity: string }[] };
      expect(verdict.code).toBe(2);
      expect(findings.filter(({ severity }) => severity === "error")[0]).toMatchObject({
        line: expect.any(Number),
        column: expect.any(Number),
        message: expect.stringMatching(/\w+ \w+/),
      });
      const run = await troupe("run", name, "--trust");
      expect([run.code, run.out]).toEqual([2, ""]);
      expect(run.err).toMatch(/^troupe: .*\n/);
    });

    it("has files", () => {
      expect([filesOf("valid").length > 0, filesOf("invalid").length > 0]).toEqual([true, true]);
    });
  },
);
