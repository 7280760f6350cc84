/** Which agent a name means: a slug, an id, or a slug that one had before. */
import { own } from "../../../machines/model.ts";
import type { AcpAgent, Config, RemovedAgent } from "../settings.ts";

type Owned = Partial<Pick<Config, "acpAgents" | "removedAgents">>;

export function agentNamed({ acpAgents = {} }: Owned, name: string): AcpAgent | undefined {
  const all = Object.values(acpAgents);
  return (
    own(acpAgents, name) ?? all.find(({ id }) => id === name) ?? all.find(({ formerly }) => formerly.includes(name))
  );
}

/** The latest of those that were removed and had this name, at last or before. */
export const removedNamed = ({ removedAgents = [] }: Owned, name: string): RemovedAgent | undefined =>
  removedAgents.findLast(({ id, slug }) => id === name || slug === name) ??
  removedAgents.findLast(({ formerly = [] }) => formerly.includes(name));

/** Every name that means an agent, or one that was removed: that a workflow names it is no slip. */
export const namesOf = ({ acpAgents = {}, removedAgents = [] }: Owned): string[] => [
  ...Object.values(acpAgents).flatMap(({ id, slug, formerly }) => [slug, id, ...formerly]),
  ...removedAgents.flatMap(({ id, slug, formerly = [] }) => [slug, id, ...formerly]),
];

/** What can be named: slugs, and not what they were before. */
export const slugsOf = ({ acpAgents = {} }: Owned): string[] => Object.keys(acpAgents);

export const removedText = ({ slug, at }: RemovedAgent): string =>
  `the agent "${slug}" was removed${at === "" ? "" : ` (${at})`}: what it said can be viewed, and none of its conversations continues`;
