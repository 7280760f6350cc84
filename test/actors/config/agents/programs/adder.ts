/** Adds eight agents to the `agents.yaml` of a home, one after the other, and tells of each. */
import { addEntry, editAgents } from "../../../../../actors/config/agents/edit.ts";

const [home = "", name = ""] = process.argv.slice(2);
for (let n = 0; n < 8; n++) {
  const slug = `${name}${n}`;
  editAgents({ HOME: home }, [], (document) => addEntry(document, "agents", { id: slug, slug, command: "x" }));
  process.send?.(slug);
}
process.disconnect?.();
