/** Consent to an agent's start: who is asked, what an answer holds for, and what is a no. H7, H19, H20. */
import { expect, it } from "vitest";
import type { Launch } from "../../../../actors/agents/agent.ts";
import { approver, type Consents } from "../../../../actors/effects/gate/approve.ts";
import type { Consent } from "../../../../actors/host/reads.ts";
import type { PermissionQuestion, PermissionSettled } from "../../../../machines/contracts.ts";

const LAUNCH: Launch = {
  what: "start",
  agent: "id-1",
  slug: "mine",
  workspace: "/w",
  shown: { agent: "mine", program: "/bin/agent", sha256: "aa", argv: ["/bin/agent"], variables: [] },
  digest: "d-1",
};

function stage(over: Partial<Consents> = {}) {
  const rows: Consent[] = [];
  const asked: PermissionQuestion[] = [];
  let answer: PermissionSettled | Error = { outcome: "cancelled" };
  const consents: Consents = {
    kept: {
      find: ({ machine, agent, folder }) =>
        rows.find((row) => row.machine === machine && row.agent === agent && row.folder === folder),
      list: () => rows,
      keep: async (row) => void rows.push(row),
      drop: async () => undefined,
    },
    machine: "m-1",
    trusted: [],
    isOwn: () => true,
    now: () => 7,
    once: new Map(),
    ...over,
  };
  return {
    rows,
    asked,
    async start(
      o: { launch?: Partial<Launch>; answers?: string | Error; run?: string; machine?: string; without?: true } = {},
    ) {
      answer =
        o.answers === undefined
          ? { outcome: "cancelled" }
          : o.answers instanceof Error
            ? o.answers
            : { outcome: "selected", option: o.answers };
      asked.length = 0;
      const context = {
        session: "session/s" as const,
        ask: async (question: PermissionQuestion) => {
          asked.push(question);
          if (answer instanceof Error) throw answer;
          return answer;
        },
      };
      const own = o.without ? undefined : { ...consents, machine: o.machine ?? consents.machine };
      const approve = approver(context, { run: o.run ?? "r", consents: own, outside: (one) => one });
      const settled = await approve({ ...LAUNCH, ...o.launch }, new AbortController().signal).then(
        () => "starts",
        (error: { code: string }) => error.code,
      );
      return [settled, asked.length];
    },
  };
}
const REQUIRED = "USER.AGENT.CONSENT_REQUIRED";

it("asks with all that is shown, says whose rights it has, and offers once, always here and no", async () => {
  const { start, asked } = stage();
  await start();
  expect(asked).toEqual([
    {
      title: 'Start the agent "mine" in /w?',
      kind: "execute",
      message:
        "It runs with your rights: it can read, change and send whatever you can. With sandbox: workspace in its entry it could write this folder and nothing else. What Troupe asks you later is only what it does through Troupe.",
      options: [
        { id: "once", name: "Start it in this run", kind: "allow_once" },
        { id: "always", name: "Always here, as it is shown", kind: "allow_always" },
        { id: "refuse", name: "Do not start it", kind: "reject_once" },
      ],
      input: LAUNCH.shown,
      timeoutMs: null,
    },
  ]);
});

it("takes silence, a fault, an unknown answer and a no for a no", async () => {
  const { start, rows } = stage();
  expect(await start()).toEqual([REQUIRED, 1]);
  expect(await start({ answers: new Error("the host is gone") })).toEqual([REQUIRED, 1]);
  for (const answers of ["refuse", "allow", ""])
    expect(await start({ answers })).toEqual(["USER.AGENT.CONSENT_REFUSED", 1]);
  expect(await start({ without: true })).toEqual([REQUIRED, 0]);
  expect(rows).toEqual([]);
});

it("holds once for the run alone, and keeps nothing", async () => {
  const { start, rows } = stage();
  expect(await start({ answers: "once" })).toEqual(["starts", 1]);
  expect(await start()).toEqual(["starts", 0]);
  expect(await start({ launch: { digest: "d-2" } })).toEqual([REQUIRED, 1]);
  expect(await start({ run: "other" })).toEqual([REQUIRED, 1]);
  expect(rows).toEqual([]);
});

it("holds always for this machine, agent, folder and what was shown", async () => {
  const { start, rows, asked } = stage();
  expect(await start({ answers: "always" })).toEqual(["starts", 1]);
  expect(rows).toEqual([
    { machine: "m-1", agent: "id-1", folder: "/w", digest: "d-1", shown: JSON.stringify(LAUNCH.shown), at: 7 },
  ]);
  expect(await start({ run: "other" })).toEqual(["starts", 0]);
  expect(await start({ launch: { slug: "renamed" } })).toEqual(["starts", 0]);
  expect(await start({ machine: "m-2" })).toEqual([REQUIRED, 1]);
  expect(await start({ launch: { workspace: "/w/below" } })).toEqual([REQUIRED, 1]);
  expect(await start({ launch: { agent: "id-2" } })).toEqual([REQUIRED, 1]);
  const shown = { ...LAUNCH.shown, sha256: "bb", argv: ["/bin/agent", "--evil"] };
  expect(await start({ launch: { digest: "d-2", shown } })).toEqual([REQUIRED, 1]);
  expect(asked[0]?.message).toContain("Since you agreed to it, this has changed: sha256, argv.");
});

it("asks only the user of the machine; what that user agreed to holds for others too", async () => {
  const { start, rows } = stage({ isOwn: () => false });
  expect(await start({ answers: "always" })).toEqual([REQUIRED, 0]);
  rows.push({ machine: "m-1", agent: "id-1", folder: "/w", digest: "d-1", shown: "{}", at: 1 });
  expect(await start()).toEqual(["starts", 0]);
});

it("asks about servers for themselves, also of an agent that is let start, and keeps that apart", async () => {
  const { start, rows, asked } = stage({ trusted: ["mine"] });
  const launch = { what: "servers", digest: "d-s" } as const;
  expect(await start({ launch })).toEqual([REQUIRED, 1]);
  expect(asked[0]?.title).toBe('Pass these MCP servers on to the agent "mine" in /w?');
  expect(await start({ launch, answers: "refuse" })).toEqual(["USER.AGENT.CONSENT_REFUSED", 1]);
  expect(await start({ launch, answers: "always" })).toEqual(["starts", 1]);
  expect(rows.map(({ agent, digest }) => [agent, digest])).toEqual([["id-1 servers", "d-s"]]);
  expect(await start({ launch })).toEqual(["starts", 0]);
  expect(await start({ launch: { ...launch, digest: "d-t" } })).toEqual([REQUIRED, 1]);
});

it("lets start what is named beforehand, by slug or id, and keeps nothing", async () => {
  for (const name of ["mine", "id-1"]) {
    const { start, rows } = stage({ trusted: [name] });
    expect(await start()).toEqual(["starts", 0]);
    expect(rows).toEqual([]);
  }
  expect(await stage({ trusted: ["other", "*", "1"] }).start()).toEqual([REQUIRED, 1]);
});
