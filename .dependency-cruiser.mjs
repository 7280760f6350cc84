// The arrows of the house: transports ask, machines decide, actors do, projections show. None runs back up.
// `npm run arrows` fails on a violation.

/** The rooms of actors/, from the ground up: an arrow between two of them points down. */
export const ROOMS = [
  "errors",
  "base",
  "process",
  "worktrees",
  "masking",
  "mcp",
  "acp-client",
  "host",
  "follow",
  "attachments",
  "api",
  "packs",
  "operations",
  "config",
  "agents",
  "conversations",
  "memory",
  "tools",
  "catalogue",
  "effects",
  "trust",
  "preflight",
  "prompt",
  "schedules",
  "facade",
];
const above = (room) => ROOMS.slice(ROOMS.indexOf(room) + 1).join("|");

/** What speaks a protocol. */
const SDKS = ["@agentclientprotocol/sdk", "@modelcontextprotocol/server"];
const libraries = (...names) => `^node_modules/(${names.join("|")})/`;

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-circular",
      comment: "A cycle hides who owns what. Put what both need into a file of its own.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "machines-are-pure",
      comment:
        "machines/ imports xstate, zod, yaml, re2js, croner and itself: no node:*, no clock, no logger, no effect.",
      severity: "error",
      from: { path: "^machines/" },
      to: { pathNot: ["^machines/", libraries("xstate", "zod", "yaml", "re2js", "croner")] },
    },
    {
      name: "actors-know-no-face",
      comment: "actors/ imports machines, node and libraries: never transports, projections.",
      severity: "error",
      from: { path: "^actors/" },
      to: { path: "^(transports|projections)/" },
    },
    {
      name: "projections-only-show",
      comment:
        "projections/ imports machines' types and pure functions, rxjs, fast-string-width and the types of the protocols' SDKs: no actor, no transport, no node:*.",
      severity: "error",
      from: { path: "^projections/" },
      to: { pathNot: ["^projections/", "^machines/", libraries("rxjs", "fast-string-width", ...SDKS)] },
    },
    {
      name: "projections-start-no-machine",
      comment: "A projection may name a machine's types; its value would let it send.",
      severity: "error",
      from: { path: "^projections/" },
      to: { path: "^machines/.*-machine\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "projections-use-sdk-types-only",
      comment: "The SDKs' values speak to a wire; a projection only shapes what is sent.",
      severity: "error",
      from: { path: "^projections/" },
      to: { path: libraries(...SDKS), dependencyTypesNot: ["type-only"] },
    },
    {
      name: "transports-use-the-facade",
      comment:
        "Of actors/ a transport knows actors/troupe.ts, actors/looking.ts for what opens no store, and the client of an agent, which opens no store (docs/decisions/0009-client.md): never the store, never the host.",
      severity: "error",
      from: { path: "^transports/" },
      to: { path: "^actors/", pathNot: "^actors/((troupe|looking)\\.ts$|acp-client/)" },
    },
    {
      name: "looking-loads-no-store",
      comment: "What looks at workflows answers at once because it loads no store and no runtime.",
      severity: "error",
      from: { path: "^actors/looking\\.ts$" },
      to: { path: "^actors/(host/(sqlite|memory)/|troupe\\.ts$|facade/(lazy-)?runtime\\.ts$)", reachable: true },
    },
    {
      name: "an-editor-starts-without-tables-of-unicode",
      comment: "To measure text loads tables; what is shown in an editor is not measured.",
      severity: "error",
      from: { path: "^transports/(acp/|cli/commands/(acp|validate)\\.ts$)" },
      to: { path: "^projections/terminal/width\\.ts$", reachable: true },
    },
    {
      name: "transports-know-two-machines",
      comment: "Of machines/ a transport knows connection and link; what else it needs, the facade hands out.",
      severity: "error",
      from: { path: "^transports/" },
      to: { path: "^machines/", pathNot: "^machines/(connection|link)([-./]|$)" },
    },
    {
      name: "the-host-alone-holds-a-database",
      comment: "What is kept is read through the port of actors/host (actors/host/reads.ts).",
      severity: "error",
      from: { path: "^(machines|actors|projections|transports)/", pathNot: "^actors/host/sqlite/" },
      to: { path: "^(node:)?sqlite$" },
    },
    {
      name: "the-host-is-a-port",
      comment:
        "Outside of its room the host is actors/host/host.ts and reads.ts; open.ts for the composition root; interpret.ts for the types of an inspection; sqlite/exclusive.ts for files that are changed by one process at a time; sqlite/owner.ts for the proof that a process lives; sqlite/health.ts, sqlite/store-room.ts and sqlite/copies.ts for a store as a file; restate/engine.ts for an engine that is named from outside.",
      severity: "error",
      from: { path: "^(machines|actors|projections|transports)/", pathNot: "^actors/host/" },
      to: {
        path: "^actors/host/",
        pathNot:
          "^actors/host/(host|reads|open|interpret|restate/engine|sqlite/(exclusive|owner|health|store-room|copies))\\.ts$",
      },
    },
    {
      name: "the-composition-root-opens-the-host",
      severity: "error",
      from: { path: "^actors/", pathNot: "^actors/(host/|facade/(runtime|lazy-runtime|keeping)\\.ts$)" },
      to: { path: "^actors/host/open\\.ts$" },
    },
    {
      name: "the-host-knows-no-storage",
      comment:
        "Its parts stand over actors/host/storage.ts; open.ts chooses which storage that is. Over an engine sessions are held in memory.",
      severity: "error",
      from: { path: "^actors/host/", pathNot: "^actors/host/(open\\.ts$|sqlite/|memory/|restate/)" },
      to: { path: "^actors/host/(sqlite|memory)/" },
    },
    {
      name: "storages-do-not-know-each-other",
      severity: "error",
      from: { path: "^actors/host/(sqlite|memory)/" },
      to: { path: "^actors/host/(sqlite|memory)/", pathNot: "^actors/host/$1/" },
    },
    ...ROOMS.slice(0, -1).map((room) => ({
      name: `rooms-point-down-from-${room}`,
      comment: "docs/architecture.md lists the rooms of actors/ by floor.",
      severity: "error",
      from: { path: `^actors/${room}/` },
      to: { path: `^actors/((${above(room)})/|troupe\\.ts$)` },
    })),
    {
      name: "every-room-has-a-floor",
      comment:
        "A file of actors/ stands in a room that docs/architecture.md lists; only the facade and its small door, looking.ts, stand alone.",
      severity: "error",
      from: { path: "^actors/", pathNot: `^actors/((${ROOMS.join("|")})/|(troupe|looking)\\.ts$)` },
      to: {},
    },
    {
      name: "every-room-has-a-floor-also-one-that-imports-nothing",
      severity: "error",
      from: {},
      to: { path: "^actors/", pathNot: `^actors/((${ROOMS.join("|")})/|(troupe|looking)\\.ts$)` },
    },
    {
      name: "sessions-stand-over-the-runtime",
      comment: "What a handle asks of a session stands over what its process holds of it.",
      severity: "error",
      from: { path: "^actors/facade/[^/]+$", pathNot: "^actors/facade/session-handle\\.ts$" },
      to: { path: "^actors/facade/sessions/" },
    },
    {
      name: "the-handle-stands-over-its-sessions",
      severity: "error",
      from: { path: "^actors/facade/sessions/" },
      to: { path: "^actors/facade/session-handle\\.ts$" },
    },
    {
      name: "nothing-imports-tests",
      severity: "error",
      from: { path: "^(machines|actors|projections|transports)/" },
      to: { path: "^(test|\\.ci|docs)/" },
    },
    {
      name: "the-page-runs-in-a-browser",
      comment: "It knows projections, and libraries that are bundled with it; of the rest types alone.",
      severity: "error",
      from: { path: "^transports/page/browser/" },
      to: {
        pathNot: [
          "^transports/page/browser/",
          "^projections/",
          libraries("lit", "lit-html", "marked", "@dagrejs/dagre", "eventsource-parser"),
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "only-browsers-run-the-page",
      severity: "error",
      from: { path: "^(machines|actors|projections|transports)/", pathNot: "^transports/page/browser/" },
      to: { path: "^transports/page/browser/" },
    },
    {
      name: "no-dev-dependency-at-run-time",
      comment: "The page is bundled with its libraries.",
      severity: "error",
      from: { path: "^(machines|actors|projections|transports)/", pathNot: "^transports/page/browser/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "types", "default"] },
  },
};
