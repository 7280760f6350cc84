import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { boxFor } from "../../../../actors/agents/acp/sandbox.ts";
import type { AcpAgent } from "../../../../actors/config/settings.ts";

it.runIf(process.platform === "linux")(
  "is asked again where it could not be made: the machine may allow it by now",
  async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-box-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const [workspace, bin] = [join(root, "work"), join(root, "bin")];
    for (const folder of [workspace, bin]) mkdirSync(folder);
    const program = join(bin, "bwrap");
    const bwrap = (script: string): void => {
      writeFileSync(program, `#!/bin/sh\n${script}\n`);
      chmodSync(program, 0o755);
    };
    const agent = { slug: "boxed", sandbox: { kind: "workspace", write: [] } } as unknown as AcpAgent;
    const box = () => boxFor(agent, { workspace, environment: { PATH: bin, HOME: root } });
    bwrap("echo no user namespaces; exit 1");
    await expect(box()).rejects.toMatchObject({
      code: "USER.AGENT.SANDBOX",
      message: expect.stringContaining("no user namespaces"),
    });
    bwrap("echo inside");
    expect((await box())(["/bin/true"], "/")[0]).toBe(program);
    bwrap("exit 1");
    expect((await box())(["/bin/true"], "/")[0]).toBe(program); // what works is not asked at each start
  },
);
