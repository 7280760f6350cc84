/** `models`: the names that a session offers for each provider. Whether a name is one, its agent knows. */
import { isProvider, PROVIDERS } from "../../machines/workflow/providers.ts";
import type { Report } from "../../machines/workflow/report.ts";
import { conform } from "../../machines/workflow/schema/conform.ts";
import { texts } from "../../machines/workflow/schema/fields.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import type { Located } from "../../machines/workflow/yaml/located.ts";

/**
 * `agents`: the names of the agents that the user has configured, which are providers too. `owned`: of those that stand
 * in a file of their own, asked where no other has the name; null where that cannot be read.
 */
export function modelsOf(
  at: Located | undefined,
  { agents, owned }: { agents: readonly string[]; owned: () => readonly string[] | null },
  report: Report,
): { [provider: string]: string[] } {
  const models = [...(at?.entries ?? [])].flatMap(([provider, { value }]): [string, string[]][] => {
    const path = ["models", provider];
    const isKnown = isProvider(provider) || agents.includes(provider);
    const others = isKnown ? [] : owned();
    if (!isKnown && others?.includes(provider) === false) {
      const known = [...PROVIDERS, ...agents, ...others];
      const message = `there is no provider "${provider}"`;
      const expected = `one of ${known.join(", ")}`;
      const suggestion = suggest(provider, known);
      report.add({
        code: "WORKFLOW.PARSE.INVALID_FIELD",
        message,
        expected,
        suggestion,
        path,
        on: "key",
        loads: false,
      });
      return [];
    }
    const names = conform(texts(), value.value, { report, path, what: `the models of ${provider}`, fields: [] });
    return names === null ? [] : [[provider, names.map(String)]];
  });
  return Object.fromEntries(models);
}
