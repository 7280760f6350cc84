/** Every built-in operation by name. Its code is loaded when a step first needs it. */
import type { Operation } from "./operation.ts";

const github = async (name: string): Promise<Operation> =>
  (await import("./github/github.ts")).SINGLE[name] as Operation;

export const OPERATIONS: { readonly [name: string]: () => Promise<Operation> } = {
  "http.request": async () => (await import("./http.ts")).httpRequest,
  "notify.send": async () => (await import("./notify.ts")).notifySend,
  "github.get_issue": () => github("github.get_issue"),
  "github.get_pr": () => github("github.get_pr"),
  "github.create_pr": () => github("github.create_pr"),
  "github.create_issue": () => github("github.create_issue"),
  "github.add_labels": () => github("github.add_labels"),
  "github.add_comment": () => github("github.add_comment"),
  "github.list_comments": () => github("github.list_comments"),
  "github.batch": async () => (await import("./github/batch.ts")).batch,
};
