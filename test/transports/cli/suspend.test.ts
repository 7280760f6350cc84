import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";

const SUSPEND = new URL("../../../transports/cli/suspend.ts", import.meta.url).href;

/** It is asked to stop in the middle of a transaction; what it says comes after. */
const program = (file: string) => `
  import { DatabaseSync } from "node:sqlite";
  import { stopBetweenTurns } from ${JSON.stringify(SUSPEND)};
  stopBetweenTurns();
  const db = new DatabaseSync(${JSON.stringify(file)});
  db.exec("create table t(n)");
  db.exec("begin immediate; insert into t values(1)");
  process.kill(process.pid, "SIGTSTP");
  db.exec("commit");
  setTimeout(() => process.stdout.write("on"), 100);
`;

test.skipIf(process.platform !== "linux")("who is asked to stop inside a transaction ends that first", async () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-suspend-"));
  const file = join(folder, "a.db");
  const child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", program(file)]);
  let said = "";
  child.stdout.on("data", (data) => {
    said += String(data);
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const state = (): string | undefined => readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.[0];
  while (state() !== "T") await new Promise((resolve) => setImmediate(resolve));
  const db = new DatabaseSync(file);
  db.exec("begin immediate");
  expect(db.prepare("select n from t").all()).toEqual([{ n: 1 }]);
  db.exec("rollback");
  db.close();
  expect(said).toBe("");
  child.kill("SIGCONT");
  await ended;
  expect(said).toBe("on");
});
