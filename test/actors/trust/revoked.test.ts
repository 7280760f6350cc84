/** Trust that is taken back, with what was agreed to of agents there and below. */
import { expect, it } from "vitest";
import { revokeTrust } from "../../../actors/trust/trust.ts";

type Kept = Parameters<typeof revokeTrust>[0];

function store(trusted: string[], folders: string[]) {
  const kept = {
    trust: {
      hasOneOf: (asked: readonly string[]) => asked.some((one) => trusted.includes(one)),
      drop: async (folder: string) => void trusted.splice(trusted.indexOf(folder), 1),
    },
    consents: {
      list: () => folders.map((folder) => ({ folder })),
      drop: async ({ folder }: { folder: string }) => void folders.splice(folders.indexOf(folder), 1),
    },
  };
  return kept as unknown as Kept;
}

it.each<[string, string[]]>([
  ["/", []],
  ["/none/a", ["/none/ab", "/none"]],
  ["/none", ["/elsewhere"]],
])("of %s leaves agents their consent in %j", async (folder, left) => {
  const folders = ["/none/a", "/none/a/b", ...left];
  const kept = folders.length;
  const { agents } = await revokeTrust(store([folder], folders), folder);
  expect([folders.filter((one) => !["/none/a", "/none/a/b"].includes(one)), agents]).toEqual([
    left,
    kept - left.length,
  ]);
});
