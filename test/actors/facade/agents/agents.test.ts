/** The user's agents, changed by name. H1, H2. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { configFileOf } from "../../../../actors/config/config.ts";
import { agentsFileOf } from "../../../../actors/config/nothing.ts";
import { agentsOf } from "../../../../actors/facade/agents/agents.ts";

function opened(files: { agents?: string; config?: string }) {
  const home = mkdtempSync(join(tmpdir(), "troupe-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const environment = { HOME: home, PATH: process.env["PATH"] };
  mkdirSync(dirname(configFileOf(environment)), { recursive: true });
  if (files.agents !== undefined) writeFileSync(agentsFileOf(environment), files.agents);
  if (files.config !== undefined) writeFileSync(configFileOf(environment), files.config);
  return agentsOf({ environment, cwd: home, now: () => 0 });
}

it("changes an agent of agents.yaml, also one that was written with its slug as its id", async () => {
  const agents = opened({ agents: "version: 1\nagents:\n  - {id: mine, slug: mine, command: /bin/cat}\n" });
  expect(await agents.enable("mine", false)).toMatchObject({ state: "disabled" });
  expect(await agents.rename("mine", { slug: "yours" })).toMatchObject({ slug: "yours", formerly: ["mine"] });
  expect(await agents.remove("yours")).toMatchObject({ id: "mine", slug: "yours" });
});

it("leaves an agent of config.yaml to its user", async () => {
  const agents = opened({ config: "agents: {acp: {mine: {command: /bin/cat}}}\n" });
  await expect(agents.enable("mine", false)).rejects.toMatchObject({
    code: "USER.AGENT.UNKNOWN",
    message: expect.stringContaining("config.yaml: change it there"),
  });
});
