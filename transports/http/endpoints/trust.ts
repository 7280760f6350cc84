/** What the user of this machine trusts: seen, and taken back, by that user alone. Trust is given where a run asks for it. */
import { z } from "zod";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { Cwd } from "../schemas.ts";

const Directory = z.object({ cwd: z.string(), at: z.number().describe("Milliseconds since the epoch.") });
const Named = z.strictObject({ cwd: Cwd.describe("An absolute path.") });
const Revoked = z.object({
  cwd: z.string(),
  above: z.string().nullable().describe("A directory above it that is trusted, so that it is trusted all the same."),
});

export const trust: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/api/trust",
    id: "listTrust",
    tag: "Trust",
    summary: "The directories that are trusted, those trusted last first",
    answers: { 200: { description: "The list", schema: z.object({ directories: z.array(Directory) }) } },
    problems: [403],
    handle: async ({ troupe }) => ({ status: 200, body: { directories: await troupe.trusted() } }),
  }),
  endpoint({
    method: "delete",
    path: "/api/trust",
    id: "revokeTrust",
    tag: "Trust",
    summary: "Takes back the trust in a directory; 404 for one that was not trusted itself",
    query: Named,
    answers: { 200: { description: "It is taken back", schema: Revoked } },
    problems: [400, 403, 404],
    handle: async ({ troupe, query: { cwd } }) => ({ status: 200, body: await troupe.revokeTrust(cwd) }),
  }),
];
