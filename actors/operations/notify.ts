/** `notify.send`: a notification on the desktop, or a POST to a webhook. */

import { z } from "zod";
import { timeLimit } from "../base/clock.ts";
import { endOf } from "../base/end-of.ts";
import { agentEnvironment } from "../process/environment.ts";
import { spawnProcess } from "../process/spawn.ts";
import { needed, text } from "./fields.ts";
import { MAX_BODY_BYTES, readBody, reasonOf } from "./http.ts";
import { checkedInputs, type Operation, type OperationCall, type OperationEnd } from "./operation.ts";

const TIMEOUT_MS = 10_000;
const KEPT_WORDS = 2_000;
const PRIORITIES = ["low", "default", "high"] as const;

const common = {
  message: needed("the text of the notification"),
  title: text().nullish(),
  priority: z.enum([...PRIORITIES, ""], { error: `one of ${PRIORITIES.join(", ")}` }).nullish(),
};
const inputs = z.discriminatedUnion(
  "backend",
  [
    z.strictObject({ backend: z.literal("desktop"), ...common, webhook_url: text().nullish() }),
    z.strictObject({
      backend: z.literal("webhook"),
      ...common,
      webhook_url: needed("the address of the webhook").refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), {
        error: "an address that begins with http:// or https://",
      }),
    }),
  ],
  { error: "one of desktop, webhook" },
);
type NotifyInputs = { message: string; title: string; priority: (typeof PRIORITIES)[number] };

const send: Operation = (call) => {
  const given = checkedInputs(inputs, call);
  const note: NotifyInputs = {
    message: given.message,
    title: given.title || "Troupe",
    priority: given.priority || "default",
  };
  return given.backend === "webhook" ? webhook(given.webhook_url, note, call) : desktop(note, call);
};
export const notifySend: Operation = Object.assign(send, { inputs });

async function webhook(url: string, note: NotifyInputs, { signal }: OperationCall): Promise<OperationEnd> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(note),
      signal: AbortSignal.any([signal, timeLimit(TIMEOUT_MS)]),
    });
    const { text: answer } = await readBody(response, MAX_BODY_BYTES);
    const outputs = { backend: "webhook", status: response.status, response: answer };
    if (response.ok) return { ok: true, outputs, told: `notified ${new URL(url).origin}` };
    return { ok: false, message: `the webhook ${new URL(url).origin} answered ${response.status}`, outputs };
  } catch (error) {
    return { ok: false, message: `the webhook ${new URL(url).origin} could not be reached: ${reasonOf(error)}` };
  }
}

/** The program's own arguments only: a title that begins with a hyphen is no option. */
function argvOf({ message, title, priority }: NotifyInputs): readonly [string, ...string[]] {
  if (process.platform === "darwin") {
    const script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
    return ["osascript", "-e", script, "--", title, message];
  }
  const urgency = { low: "low", default: "normal", high: "critical" }[priority];
  return ["notify-send", `--urgency=${urgency}`, "--", title, message];
}

async function desktop(note: NotifyInputs, { cwd, environment, marker, signal }: OperationCall): Promise<OperationEnd> {
  let said = "";
  const argv = argvOf(note);
  const env = agentEnvironment(
    environment,
    {},
    { names: ["DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY"], prefixes: [] },
  );
  const running = spawnProcess({
    argv,
    cwd,
    env,
    marker,
    onOutput: (_, text) => (said = endOf(said + text, KEPT_WORDS)),
  });
  const stop = () => void running.terminate();
  const limit = AbortSignal.any([signal, timeLimit(TIMEOUT_MS)]);
  if (limit.aborted) stop();
  else limit.addEventListener("abort", stop, { once: true });
  const end = await running.ended;
  limit.removeEventListener("abort", stop);
  if (end.type === "exited" && end.code === 0) {
    return { ok: true, outputs: { backend: "desktop", status: 0, response: said }, told: "notified on the desktop" };
  }
  const why = end.type === "not started" ? end.message : `${argv[0]} failed: ${said.trim() || end.type}`;
  return { ok: false, message: `no notification on the desktop: ${why}` };
}
