/** What doctor proposes to run lacks nothing here: a newcomer's first run is no refusal. */
import { expect, it } from "vitest";
import { checkup } from "../../../../actors/facade/checkup/checkup.ts";

type Found = { code: "USER.AGENT.NO_MODEL" | "WORKFLOW.PARSE.INVALID_FIELD"; severity: "warning" };
const MODEL: Found = { code: "USER.AGENT.NO_MODEL", severity: "warning" };
const STYLE: Found = { code: "WORKFLOW.PARSE.INVALID_FIELD", severity: "warning" };

async function proposed(found: { readonly [id: string]: readonly Found[] }): Promise<string | null | undefined> {
  const summary = { source: "troupe" as const, version: null, file: null, description: "", inputs: [], fault: null };
  const { checks } = await checkup({
    environment: { HOME: "/", PATH: "", TROUPE_HOME: "/" },
    workflows: async () => ({ found: Object.keys(found).map((id) => ({ id, name: id, ...summary })), warnings: [] }),
    findings: async (id) => found[id] ?? [],
    owned: async () => ({ agents: [] }),
  });
  return checks.find(({ area }) => area === "workflows")?.next;
}

it("is the first workflow that lacks nothing on this machine", async () => {
  expect(await proposed({ ai: [MODEL], demo: [STYLE], more: [] })).toBe("troupe run demo --dry-run");
});

it("is to see what the first lacks, where each lacks something", async () => {
  expect(await proposed({ ai: [STYLE, MODEL], b: [MODEL] })).toBe("troupe validate ai");
});
