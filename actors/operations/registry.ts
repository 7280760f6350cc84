/** Every built-in operation by name, `<plugin>.<operation>`. Its code is loaded when a step first needs it. */
import type { Operation } from "./operation.ts";

const github = async (name: string): Promise<Operation> =>
  (await import("./github/github.ts")).SINGLE[name] as Operation;

export type Operations = { readonly [name: string]: () => Promise<Operation> };

export const OPERATIONS: Operations = {
  "http.request": async () => (await import("./http.ts")).httpRequest,
  "notify.send": async () => (await import("./notify.ts")).notifySend,
  "github.get_issue": () => github("github.get_issue"),
  "github.get_pr": () => github("github.get_pr"),
  "github.create_pr": () => github("github.create_pr"),
  "github.create_issue": () => github("github.create_issue"),
  "github.add_labels": () => github("github.add_labels"),
  "github.list_comments": () => github("github.list_comments"),
  "github.add_comment": () => github("github.add_comment"),
  "worktree.merge": async () => (await import("./worktree.ts")).worktreeMerge,
  "github.batch": async () => (await import("./github/batch.ts")).batch,
};

/** What each plugin can do, by the plugin's name: for who checks a file before it is run. */
export function byPlugin(operations: Operations): { [plugin: string]: string[] } {
  const plugins: { [plugin: string]: string[] } = {};
  for (const name of Object.keys(operations)) {
    const at = name.indexOf(".");
    const plugin = name.slice(0, at);
    plugins[plugin] = [...(plugins[plugin] ?? []), name.slice(at + 1)];
  }
  return plugins;
}
