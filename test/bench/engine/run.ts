/**
 * `npm run bench:engine`: Troupe over an engine beside Troupe on one machine, in one run and in turn. No gate: the figures
 * say how many machines one needs. What is compared shares the machine with the bench and all else that runs there.
 *
 *   npm run bench:engine -- --sessions 1,8 --crowd 16 --rounds 2 --parked 100   a short one
 *   npm run bench:engine -- --only steps,nodes                         of steps, text, nodes, kills, parked, crowd
 *   npm run bench:engine -- --save      puts the table into docs/cluster.md, and costs beside the simulation
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import installed from "../../cluster/installed.ts";
import type { House } from "../../support/house.ts";
import { PROJECT } from "../contenders.ts";
import { machine } from "../table.ts";
import { kills, parked } from "./ends.ts";
import { type Line, tableOf } from "./lines.ts";
import { embeddedSide, engineSide } from "./sides.ts";
import { firstText, steps, threeNodes } from "./steps.ts";

const DOCUMENT = join(PROJECT, "docs", "cluster.md");
const COSTS = join(PROJECT, "test", "simulation", "costs.json");
const BETWEEN = /(<!-- engine table -->\n)[\s\S]*?(\n<!-- \/engine table -->)/;

const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "1,8,16,64" },
    crowd: { type: "string", default: "256" },
    rounds: { type: "string", default: "3" },
    parked: { type: "string", default: "1000,10000" },
    only: { type: "string", default: "steps,text,nodes,kills,parked,crowd" },
    save: { type: "boolean", default: false },
  },
});
const only = values.only.split(",");
const rounds = Number(values.rounds);
const counts = values.sessions.split(",").map(Number);

await installed();
const houses: House[] = [];
const lines: Line[] = [];
const costs: { [name: string]: unknown } = {};
const load = loadavg()[0] ?? 0;
const say = (line: Line): void => {
  lines.push(line);
  console.error(Object.values(line).join(" | "));
};
try {
  const sides = [embeddedSide(houses), await engineSide(houses)] as const;
  if (only.includes("steps")) {
    const measured = await steps(sides, { counts, rounds, say });
    costs["rounds"] = measured.rounds;
    costs["bytesPerPrompt"] = Math.round(measured.bytes);
  }
  if (only.includes("text")) say(await firstText(sides, { rounds: 10 * rounds }));
  if (only.includes("nodes")) {
    const own: House[] = [];
    try {
      const { line, replicated } = await threeNodes([sides[1], await engineSide(own, 3)], { rounds });
      say(line);
      costs["replicated"] = replicated;
    } finally {
      for (const house of own) await house.leave();
    }
  }
  if (only.includes("kills")) for (const line of await kills(sides, { rounds })) say(line);
  if (only.includes("parked")) {
    const stood = await parked(sides, { counts: values.parked.split(",").map(Number), say });
    costs["bytesPerParked"] = Math.round(stood.bytes);
  }
  if (only.includes("crowd")) await steps(sides, { counts: [Number(values.crowd)], rounds: 1, say });
} finally {
  for (const house of houses) await house.leave();
}
const shown = `${machine()}; load average ${load.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after\n\n${tableOf(lines)}`;
console.log(shown);
console.log(JSON.stringify(costs));
if (values.save) {
  const page = readFileSync(DOCUMENT, "utf8");
  writeFileSync(
    DOCUMENT,
    page.replace(BETWEEN, (_, before: string, after: string) => before + shown + after),
  );
  const known = existsSync(COSTS) ? (JSON.parse(readFileSync(COSTS, "utf8")) as object) : {};
  writeFileSync(COSTS, `${JSON.stringify({ ...known, ...costs }, null, 2)}\n`);
}
