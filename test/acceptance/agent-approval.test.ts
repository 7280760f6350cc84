/**
 * What was agreed to of an agent holds for exactly that, on this machine: `troupe agents list` says of everything else
 * that it needs approval, and its start asks. H2, H7, H10, H20.
 */
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTroupe } from "../../actors/troupe.ts";
import { type House, openHouse } from "../support/house.ts";
import { nobodyAnswers } from "../support/nobody.ts";

const TALK =
  "name: talk\nstates:\n  initial: a\n  a: {type: agent, provider: mine, prompt: hi, on_success: z}\n  z: {type: terminal}\n";
const SERVER = { command: "tickets-mcp", args: ["--stdio"], env: { TOKEN: "one" } };

let house: House;
let home: string;
beforeEach(() => {
  house = openHouse([]);
  home = house.env["HOME"] ?? "";
  writeFileSync(join(house.cwd, ".troupe", "workflows", "talk.yaml"), TALK);
  for (const name of ["bin", "other"]) {
    mkdirSync(join(house.root, name));
    program(join(house.root, name, "mine-acp"));
  }
  writeFileSync(join(house.root, "script.mjs"), "1");
  mkdirSync(join(home, ".config", "troupe"), { recursive: true });
  house.env["PATH"] = [join(house.root, "bin"), join(house.root, "other"), house.env["PATH"]].join(":");
  configure({}, {});
});
afterEach(() => house.leave());

/** It leaves a mark where it was started. */
function program(path: string): void {
  writeFileSync(path, `#!/bin/sh\n: > ${join(house.root, "started")}\n`);
  chmodSync(path, 0o755);
}
function configure(agent: object, server: object, at = home): void {
  const folder = join(at, ".config", "troupe");
  const args = ["--acp", join(house.root, "script.mjs")];
  const own = {
    id: "id-of-mine",
    slug: "mine",
    command: "mine-acp",
    args,
    env: { KEY: "1" },
    mcp_servers: ["tickets"],
  };
  const file = { version: 1, agents: [{ ...own, ...agent }] };
  writeFileSync(join(folder, "agents.yaml"), JSON.stringify(file), { mode: 0o600 });
  writeFileSync(join(folder, "config.yaml"), JSON.stringify({ mcp_servers: { tickets: { ...SERVER, ...server } } }));
}
type Here = { env?: { [name: string]: string }; machine?: string };
async function opened<T>(
  { env = {}, machine = "this" }: Here,
  use: (troupe: ReturnType<typeof createTroupe>) => Promise<T>,
) {
  const troupe = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1", ...env }, machine });
  try {
    return await use(troupe);
  } finally {
    await troupe.close();
  }
}
const agree = () =>
  opened({}, async (troupe) => {
    const agents = await troupe.agents(house.cwd);
    await agents.approve(await agents.launch("mine"));
  });
/** What the list says of it. */
const listed = (here: Here = {}) =>
  opened(here, async (troupe) => {
    const [agent] = (await (await troupe.agents(house.cwd)).list()).agents;
    return agent?.state === "needs approval" ? agent.why : agent?.state;
  });
/** How its start ends where nobody answers: it is no agent, so a start fails otherwise. */
const run = (here: Here = {}) =>
  opened(here, async (troupe) => {
    const ran = await troupe.run({ cwd: house.cwd, workflow: "talk", inputs: {}, consent: "yes" });
    nobodyAnswers(ran);
    const { outcome } = await ran.done;
    return outcome.status === "failed" ? outcome.error?.code : outcome.status;
  });

test("what was not agreed to needs approval; a new name needs none, another machine or home does", async () => {
  expect(await listed()).toBe("you have not agreed to its start in this folder");
  expect(existsSync(house.store)).toBe(false);
  await agree();
  expect(await listed()).toBe("ready");
  configure({ slug: "yours", name: "Yours", formerly: ["mine"] }, {});
  expect(await listed()).toBe("ready");

  expect(await listed({ machine: "another" })).toBe("you agreed to it on another machine, not on this one");
  expect(await run({ machine: "another" })).toBe("USER.AGENT.CONSENT_REQUIRED");
  // A copy of the configuration in another home.
  const copy = join(house.root, "copy");
  cpSync(join(home, ".config"), join(copy, ".config"), { recursive: true });
  const elsewhere = { env: { HOME: copy, TROUPE_HOME: join(copy, "state") } };
  expect(await listed(elsewhere)).toBe("you have not agreed to its start in this folder");
  expect(await run(elsewhere)).toBe("USER.AGENT.CONSENT_REQUIRED");
  expect(existsSync(join(house.root, "started"))).toBe(false);
  expect(await run()).toBe("EXECUTION.AGENT.CRASHED");
  expect(existsSync(join(house.root, "started"))).toBe(true);
});

const CHANGES: { [what: string]: [change: () => void, named: string] } = {
  "the command": [() => configure({ command: join(house.root, "other", "mine-acp") }, {}), "program, argv"],
  "the program": [() => appendFileSync(join(house.root, "bin", "mine-acp"), "# other\n"), "sha256"],
  "a script": [() => appendFileSync(join(house.root, "script.mjs"), "2"), "files"],
  "an argument": [() => configure({ args: ["--acp", "--more"] }, {}), "argv, files"],
  "the names of variables": [() => configure({ env: { KEY: "1", NODE_OPTIONS: "" } }, {}), "variables"],
  "where it runs": [() => configure({ cwd: house.root }, {}), "runs in"],
  "its servers": [() => configure({ mcp_servers: [] }, {}), "MCP servers"],
  "a server's command": [() => configure({}, { command: "evil" }), "MCP servers"],
  "a server's argument": [() => configure({}, { args: ["--evil"] }), "MCP servers"],
  "the names of a server's variables": [() => configure({}, { env: { TOKEN: "one", EVIL: "" } }), "MCP servers"],
  files: [() => configure({ files: "write" }, {}), "may, through Troupe"],
  commands: [() => configure({ terminal: true }, {}), "may, through Troupe"],
  "its sandbox": [() => configure({ sandbox: "workspace" }, {}), "sandbox"],
  "the sign-in": [() => configure({ auth: "api-key" }, {}), "may, through Troupe"],
};
test("each field of what was agreed to asks when it changes, and is named", async () => {
  await agree();
  const seen: { [what: string]: unknown } = {};
  for (const [what, [change]] of Object.entries(CHANGES)) {
    change();
    seen[what] = [await listed(), await run()];
    program(join(house.root, "bin", "mine-acp"));
    writeFileSync(join(house.root, "script.mjs"), "1");
    configure({}, {});
    expect([what, await listed()]).toEqual([what, "ready"]);
  }
  expect(seen).toEqual(
    Object.fromEntries(
      Object.entries(CHANGES).map(([what, [, named]]) => [
        what,
        [`changed since you agreed to it: ${named}`, "USER.AGENT.CONSENT_REQUIRED"],
      ]),
    ),
  );
  expect(existsSync(join(house.root, "started"))).toBe(false);
});
