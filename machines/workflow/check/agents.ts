/** What an agent step names beyond its own fields: the conversation it continues, and the tools it is given. */
import { type Json, own } from "../../model.ts";
import { type AgentNode, MERGE_OPERATION, type Workflow } from "../document.ts";
import type { FindingCode } from "../finding.ts";
import { isProvider } from "../providers.ts";
import type { Report } from "../report.ts";
import { isYes } from "../schema/fields.ts";
import type { Path } from "../texts.ts";
import { child, type Located, locate } from "../yaml/located.ts";
import { fanAround } from "./fans.ts";
import { enter, exit, type Flow, laterThan } from "./flow.ts";
import { stateHelp } from "./references.ts";
import { checkSessions } from "./sessions.ts";

export type Plugins = { readonly [name: string]: readonly string[] | null };

/** How far all questions of order together may walk. */
const MOST_STEPS = 1_000_000;

function checkConversation(
  node: AgentNode,
  workflow: Workflow,
  flow: Flow,
  { report, steps }: { report: Report; steps: { left: number } },
): void {
  const from = node.conversation?.continueFrom ?? null;
  if (from === null) return;
  const path = ["states", node.name, "conversation", "continue_from"];
  const code = "WORKFLOW.VALIDATION.BAD_CONVERSATION";
  const source = own(workflow.states, from);
  const fan = fanAround(workflow, from, { state: node.name, path });
  if (source === undefined) {
    const message = `state "${from}" does not exist`;
    report.add({
      code: "WORKFLOW.VALIDATION.UNDEFINED_STATE",
      message,
      ...stateHelp(from, workflow, report, true),
      path,
      loads: false,
    });
  } else if (source.type !== "agent") {
    report.add({
      code,
      message: `"${from}" is no agent step`,
      expected: "an agent step with conversation",
      path,
      loads: false,
    });
  } else if (source.conversation === null) {
    report.add({
      code,
      message: `"${from}" keeps no conversation`,
      expected: `conversation: {} in "${from}"`,
      path,
      loads: true,
    });
  } else if (isForeign(source, node)) {
    const message = `"${from}" talks with ${source.provider}: no other agent can continue its conversation`;
    report.add({ code, message, expected: `provider: ${source.provider}`, path, loads: true });
  } else if (fan !== undefined) {
    const message = `"${from}" runs once for each item of "${fan.name}": outside of its round no one conversation has that name`;
    report.add({ code, message, expected: "an agent step that runs once", path, loads: true });
  } else if (flow.reached.has(node.name) && !laterThan(flow, exit(from), steps)(enter(node.name))) {
    const message = `"${from}" cannot have run before`;
    report.add({
      code: "WORKFLOW.VALIDATION.FORWARD_REFERENCE",
      message,
      expected: "an agent step that runs earlier",
      path,
      loads: true,
    });
  }
}

/**
 * Whether two steps name agents that are surely not the same: a name of the user's own may stand for any, and the
 * understudy plays its script whatever was said before.
 */
const isForeign = (source: AgentNode, node: AgentNode): boolean => {
  const isAnother = (provider: string): boolean => isProvider(provider) && provider !== node.provider;
  if (!isProvider(node.provider) || node.provider === "understudy") return false;
  const instead = (source.fallback ?? []).map(({ provider = source.provider }) => provider);
  return [source.provider, ...instead].every(isAnother);
};

/** Whether a switch is on, with its default. */
const switched = (at: Located, name: string, unset: boolean): boolean => {
  const value = child(at, name)?.value;
  return value === undefined ? unset : isYes(value as boolean | string);
};

class ProxyChecker {
  readonly #path: Path;
  readonly #plugins: readonly Plugins[];
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #report: Report;

  /** `plugins`: the first that has a name counts. */
  constructor(path: Path, plugins: readonly Plugins[], aliases: ReadonlyMap<string, string>, report: Report) {
    this.#path = path;
    this.#plugins = plugins;
    this.#aliases = aliases;
    this.#report = report;
  }

  check(proxy: Located): void {
    if (!switched(proxy, "enable", false)) return;
    const tools = child(proxy, "plugin_tools")?.items ?? [];
    if (tools.length === 0 && !switched(proxy, "intercept_builtins", true)) {
      const expected = "intercept_builtins: true, or plugin_tools";
      this.#fault("USER.MCP_PROXY.EMPTY_PROXY", "the proxy is enabled and serves no tools", expected, []);
    }
    const seen = new Set<string>();
    tools.forEach((tool, index) => {
      const name = child(tool, "plugin")?.scalar?.text;
      if (name === undefined) return;
      if (seen.has(name)) {
        this.#fault(
          "USER.MCP_PROXY.NAME_COLLISION",
          `plugin "${name}" is listed twice`,
          "one entry with all its operations",
          ["plugin_tools", index, "plugin"],
        );
      } else {
        seen.add(name);
        this.#operations(name, tool, index);
      }
    });
  }

  #operations(name: string, tool: Located, index: number): void {
    const target = this.#aliases.get(name) ?? name;
    const operations = this.#find(target);
    // What an alias of the workflow stands for is not known before it runs.
    if (operations === undefined && this.#aliases.has(name)) return;
    if (operations === undefined) {
      const known = this.#report.isFull ? [] : this.#known();
      const suggestion = this.#report.suggest(name, known);
      const foreign = this.#report.awf;
      this.#report.add({
        code: "USER.MCP_PROXY.UNKNOWN_PLUGIN",
        message: `plugin "${name}" is not known`,
        expected: `${isOfMerge(name) ? OF_MERGE : ""}one of ${shownNames(known)}; or a server ${foreign ? "of mcp_servers" : "of this name that the editor brings"}`,
        suggestion,
        path: [...this.#path, "plugin_tools", index, "plugin"],
        loads: false,
        // An editor may bring a server of this name, which AWF knows nothing of; what looks like a slip is one.
        maybe: suggestion === null && !foreign,
      });
      return;
    }
    (child(tool, "expose")?.items ?? []).forEach((item, position) => {
      const operation = (item.scalar?.text ?? "").split(".").at(-1) ?? "";
      if (operations === null || operations.includes(operation)) return;
      const path = ["plugin_tools", index, "expose", position];
      const message = `plugin "${name}" has no operation "${operation}"`;
      this.#fault(
        "USER.MCP_PROXY.UNKNOWN_OPERATION",
        message,
        `one of ${operations.join(", ")}`,
        path,
        this.#report.suggest(operation, operations),
      );
    });
  }

  #find(name: string): readonly string[] | null | undefined {
    return own(this.#plugins.find((each) => Object.hasOwn(each, name)) ?? {}, name);
  }
  #known(): string[] {
    return [...new Set([...this.#plugins.toReversed().flatMap(Object.keys), ...this.#aliases.keys()])];
  }

  #fault(code: FindingCode, message: string, expected: string, path: Path, suggestion: string | null = null): void {
    const on = path.length === 0 ? "key" : "value";
    this.#report.add({ code, message, expected, suggestion, path: [...this.#path, ...path], on, loads: false });
  }
}

/** A merge is what a step does by itself: no agent has it as a tool. */
const OF_MERGE = `a step of type: operation for ${MERGE_OPERATION}; here `;
const isOfMerge = (plugin: string): boolean => MERGE_OPERATION.startsWith(`${plugin}.`);

const MOST_SHOWN = 40;
const shownNames = (names: readonly string[]): string =>
  `${names.slice(0, MOST_SHOWN).join(", ")}${names.length > MOST_SHOWN ? ", …" : ""}`;

/** The MCP servers that a map names; what they can do is known when they run. */
function serversAt(root: Located, path: Path): Plugins {
  const { located, exact } = locate(root, path);
  return exact ? Object.fromEntries([...(located.entries ?? new Map()).keys()].map((name) => [name, null])) : {};
}

/** `operations`: what this installation can do by itself; it stands above a server of the same name. */
export function checkAgents(
  workflow: Workflow,
  flow: Flow,
  report: Report,
  { plugins, operations }: { plugins: Plugins; operations: Plugins },
): void {
  const tools = Object.fromEntries(Object.entries(operations).filter(([plugin]) => !isOfMerge(plugin)));
  const known: Plugins = { ...plugins, ...serversAt(report.root, ["mcp_servers"]), ...tools };
  const aliases = new Map<string, string>();
  for (const [alias, entry] of child(report.root, "plugins")?.entries ?? []) {
    const value: Json = entry.value.value;
    aliases.set(alias, typeof value === "string" ? value : alias);
  }
  const steps = { left: MOST_STEPS };
  checkSessions(workflow, report);
  for (const node of Object.values(workflow.states)) {
    if (node.type !== "agent") continue;
    checkConversation(node, workflow, flow, { report, steps });
    const path = ["states", node.name, "mcp_proxy"];
    const proxy = locate(report.root, path);
    const step = serversAt(report.root, ["states", node.name, "options", "mcp_servers"]);
    if (proxy.exact) new ProxyChecker(path, [known, step], aliases, report).check(proxy.located);
  }
}
