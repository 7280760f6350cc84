/** `models`: the names that a session offers for each provider. Whether a name is one, its agent knows. */
import { isProvider, PROVIDERS } from "../../machines/workflow/providers.ts";
import type { Report } from "../../machines/workflow/report.ts";
import { conform } from "../../machines/workflow/schema/conform.ts";
import { texts } from "../../machines/workflow/schema/fields.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import type { Located } from "../../machines/workflow/yaml/located.ts";

/** `agents`: the names of the agents that the user has configured, which are providers too. */
export function modelsOf(
  at: Located | undefined,
  agents: readonly string[],
  report: Report,
): { [provider: string]: string[] } {
  const models = [...(at?.entries ?? [])].flatMap(([provider, { value }]): [string, string[]][] => {
    const path = ["models", provider];
    if (!isProvider(provider) && !agents.includes(provider)) {
      const known = [...PROVIDERS, ...agents];
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
