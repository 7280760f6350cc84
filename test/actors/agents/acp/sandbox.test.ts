import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

it.runIf(process.platform === "linux")("hides the file that a link of our configuration leads to", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-box-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [workspace, bin, ours] = [join(root, "work"), join(root, "bin"), join(root, ".config/troupe")];
  for (const folder of [workspace, bin, ours]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(bin, "bwrap"), "#!/bin/sh\necho inside\n", { mode: 0o755 });
  writeFileSync(join(workspace, "kept.yaml"), "limits: {}\n");
  symlinkSync(join(workspace, "kept.yaml"), join(ours, "config.yaml"));
  writeFileSync(join(ours, "agents.yaml"), "version: 1\n");
  const agent = { slug: "boxed", sandbox: { kind: "workspace", write: [] } } as unknown as AcpAgent;
  const box = await boxFor(agent, { workspace, environment: { PATH: bin, HOME: root } });
  const said = box(["/bin/true"], workspace).join(" ");
  expect(said).toContain(`--tmpfs ${ours} --ro-bind /dev/null ${join(workspace, "kept.yaml")} `);
  expect(said).not.toContain("agents.yaml");
});
