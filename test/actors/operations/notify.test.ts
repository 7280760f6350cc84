import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { notifySend } from "../../../actors/operations/notify.ts";
import { httpServer } from "../../support/http-server.ts";
import { callWith } from "./support.ts";

describe("notify.send to a webhook", () => {
  it("posts title, message and priority", async () => {
    const { url, asked } = await httpServer(() => ({ status: 202, body: "taken" }));
    const end = await notifySend(callWith({ backend: "webhook", webhook_url: `${url}/hook?key=k`, message: "Done" }));
    expect(end).toEqual({
      ok: true,
      outputs: { backend: "webhook", status: 202, response: "taken" },
      told: `notified ${url}`,
    });
    expect(asked).toMatchObject([
      { method: "POST", path: "/hook?key=k", headers: { "content-type": "application/json" } },
    ]);
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({ title: "Troupe", message: "Done", priority: "default" });
  });

  it("fails where the webhook refuses, without its path, which may be a secret", async () => {
    const { url } = await httpServer(() => ({ status: 403, body: "no" }));
    const end = await notifySend(callWith({ backend: "webhook", webhook_url: `${url}/secret`, message: "Done" }));
    expect(end).toEqual({
      ok: false,
      message: `the webhook ${url} answered 403`,
      outputs: { backend: "webhook", status: 403, response: "no" },
    });
  });
});

describe.runIf(process.platform === "linux")("notify.send to the desktop", () => {
  it("starts notify-send with the words as arguments, never as options", async () => {
    const folder = mkdtempSync(join(tmpdir(), "troupe-notify-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "notify-send"), `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/argv"\n`);
    chmodSync(join(folder, "notify-send"), 0o755);
    const environment = { PATH: `${folder}:/usr/bin:/bin` };
    const inputs = { backend: "desktop", message: "$(id) it's", title: "--help", priority: "high" };
    expect(await notifySend(callWith(inputs, { environment }))).toMatchObject({ ok: true });
    expect(readFileSync(join(folder, "argv"), "utf8").split("\n")).toEqual([
      "--urgency=critical",
      "--",
      "--help",
      "$(id) it's",
      "",
    ]);
  });

  it("tells of what it said the end, from a whole word on: half of a secret would not be known as one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "troupe-notify-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "notify-send"), "#!/bin/sh\nprintf 'key-0123456789 %01990d' 0\n", { mode: 0o755 });
    const environment = { PATH: `${folder}:/usr/bin:/bin` };
    const end = await notifySend(callWith({ backend: "desktop", message: "x" }, { environment }));
    expect(end).toMatchObject({ ok: true, outputs: { response: "0".repeat(1_990) } });
  });

  it("ends with its step, also where that ended before it began", async () => {
    const folder = mkdtempSync(join(tmpdir(), "troupe-notify-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "notify-send"), "#!/bin/sh\nexec sleep 3600\n");
    chmodSync(join(folder, "notify-send"), 0o755);
    const over = { environment: { PATH: `${folder}:/usr/bin:/bin` }, signal: AbortSignal.abort() };
    expect(await notifySend(callWith({ backend: "desktop", message: "x" }, over))).toMatchObject({ ok: false });
  });

  it("says that there is no notify-send", async () => {
    const end = await notifySend(callWith({ backend: "desktop", message: "x" }, { environment: { PATH: "/nowhere" } }));
    expect(end).toMatchObject({ ok: false, message: expect.stringContaining('cannot start "notify-send"') });
  });
});

it.each([
  [{ message: "x" }, "inputs.backend: expected one of desktop, webhook"],
  [{ backend: "ntfy", message: "x" }, "inputs.backend: expected one of desktop, webhook"],
  [{ backend: "webhook", message: "x" }, "inputs.webhook_url: expected the address of the webhook"],
  [{ backend: "desktop", message: " " }, "inputs.message: expected the text of the notification"],
  [{ backend: "desktop", message: "x", priority: "urgent" }, "inputs.priority: expected one of low, default, high"],
])("notify.send refuses %j", async (inputs, message) => {
  await expect(async () => notifySend(callWith(inputs))).rejects.toMatchObject({ message });
});
