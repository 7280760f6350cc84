/** What of the machines' words the page needs to draw what it is shown. */
export type { Exchange, FileEdit } from "../../machines/exchange.ts";
export { isLive } from "../../machines/exchange.ts";
export type { Json } from "../../machines/model.ts";
export { numberedOf } from "../../machines/naming/address.ts";
export { isSecretName } from "../../machines/secret-name.ts";
export { visible } from "../../machines/visible.ts";
export type { Input, Workflow } from "../../machines/workflow/document.ts";
export type { Finding } from "../../machines/workflow/finding.ts";
