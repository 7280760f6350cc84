/** What AWF's configuration of a project becomes here, setting by setting; pure. */
import type { Json } from "../../../machines/model.ts";
import { isSecretName } from "../../../machines/secret-name.ts";

/**
 * What becomes of a setting. `default`: of an input of these workflows. `backend`: of their steps `notify.send`.
 * `variable`: a person sets this one of the environment. `flag`: it is said on the command line. `secret`: it is not
 * copied. `unused`: no workflow asks for it. `none`: it has no effect in AWF either. `unknown`: AWF does not know it.
 */
export type Fate =
  | { becomes: "default"; input: string; workflows: string[] }
  | { becomes: "backend"; workflows: string[] }
  | { becomes: "variable"; variable: string; value: string }
  | { becomes: "flag"; flag: string }
  | { becomes: "secret"; input: string }
  | { becomes: "unused" }
  | { becomes: "none" }
  | { becomes: "unknown" };
/** `file`: from the project's folder. `setting`: its path in the file. */
export type Setting = { file: string; setting: string; fate: Fate };

/** What the workflows are given. */
export type Carried = { inputs: { [name: string]: Json }; backend: string | null };
export const PROJECT_FILE = ".awf.yaml";
export const CONFIG_FILE = ".awf/config.yaml";

const variable = (name: string, value: Json): Fate => ({ becomes: "variable", variable: name, value: String(value) });
/** AWF sends over gRPC, Troupe over HTTP: of a collector's address the host is the same. */
const collector = (exporter: string): string => `http://${exporter.replace(/^\w+:\/\//, "").replace(/:\d+$/, "")}:4318`;

/** The settings of `.awf/config.yaml`, before the workflows are known, and what of them these are given. */
export function readSettings(config: Json): { settings: Setting[]; given: Carried } {
  const given: Carried = { inputs: {}, backend: null };
  const settings: Setting[] = [];
  const add = (setting: string, fate: Fate): number => settings.push({ file: CONFIG_FILE, setting, fate });
  for (const [key, value] of Object.entries(mapOf(config))) {
    const inner = Object.entries(mapOf(value));
    if (key === "inputs")
      for (const [input, each] of inner) {
        const setting = `inputs.${input}`;
        if (each === null) add(setting, { becomes: "none" });
        else if (isSecretName(input)) add(setting, { becomes: "secret", input });
        else {
          given.inputs[input] = each;
          add(setting, { becomes: "default", input, workflows: [] });
        }
      }
    else if (key === "notify" || key === "telemetry")
      for (const [name, each] of inner) {
        const setting = `${key}.${name}`;
        if (each === null || each === "") add(setting, { becomes: "none" });
        else if (setting === "notify.default_backend") {
          given.backend = String(each);
          add(setting, { becomes: "backend", workflows: [] });
        } else if (setting === "telemetry.exporter")
          add(setting, variable("OTEL_EXPORTER_OTLP_ENDPOINT", collector(String(each))));
        else if (setting === "telemetry.service_name") add(setting, variable("OTEL_SERVICE_NAME", each));
        else add(setting, { becomes: "unknown" });
      }
    else if (key === "workflows_dir") add(key, variable("TROUPE_WORKFLOWS_PATH", value));
    else add(key, { becomes: ["version", "log_level", "output_format"].includes(key) ? "none" : "unknown" });
  }
  return { settings, given };
}

/** The settings of `.awf.yaml`, which AWF writes and does not read. */
export const readProjectFile = (config: Json): Setting[] =>
  Object.keys(mapOf(config)).map((setting) => ({ file: PROJECT_FILE, setting, fate: projectFate(setting) }));

function projectFate(setting: string): Fate {
  switch (setting) {
    case "output_format":
      return { becomes: "flag", flag: "--output, or --format json" };
    case "log_level":
      return { becomes: "flag", flag: "--log-level of troupe serve" };
    case "version":
      return { becomes: "none" };
    default:
      return { becomes: "unknown" };
  }
}

const mapOf = (value: Json): { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

/** A setting with what the workflows have done with it. */
export function settled(
  { fate, ...rest }: Setting,
  used: { inputs: (name: string) => string[]; backend: string[] },
): Setting {
  if (fate.becomes !== "default" && fate.becomes !== "backend") return { ...rest, fate };
  const workflows = fate.becomes === "default" ? used.inputs(fate.input) : used.backend;
  return { ...rest, fate: workflows.length === 0 ? { becomes: "unused" } : { ...fate, workflows } };
}
