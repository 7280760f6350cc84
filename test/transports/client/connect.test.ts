/** What `connect` takes, and what it refuses at once. */
import { expect, test, vi } from "vitest";
import { type ConnectOptions, connect } from "../../../transports/client/connect.ts";
import type { Anything } from "../../support/api.ts";
import { app, connected, cwd, scripted } from "./scripted.ts";

test.each([{}, undefined, null, { url: undefined }, { command: undefined }])(
  "connect(%j) is refused at once, in words",
  async (none) => {
    await expect(connect(none as unknown as ConnectOptions)).rejects.toMatchObject({
      type: "unsupported",
      message: 'connect has to be told where the agent is, by "url", "command" or "open"',
    });
  },
);
test.each([
  [{ url: 8900 }, 'connect takes "url" as a text, not as number'],
  [{ command: ["troupe", "acp"] }, 'connect takes "command" as a text, not as object'],
  [{ url: null }, 'connect takes "url" as a text, not as null'],
])("connect(%j) is refused by what was handed in", async (wrong, message) => {
  await expect(connect(wrong as unknown as ConnectOptions)).rejects.toMatchObject({ type: "unsupported", message });
});
test("an address that is not given beside a program is none; two of both are refused", async () => {
  const program = { url: undefined, command: "no-such-agent-anywhere" } as unknown as ConnectOptions;
  await expect(connect(program)).rejects.toMatchObject({ type: "agentNotFound" });
  const both = { url: "ws://127.0.0.1:1", command: "true" } as unknown as ConnectOptions;
  await expect(connect(both)).rejects.toMatchObject({
    type: "unsupported",
    message: expect.stringContaining("not by url and command"),
  });
});
test.each([
  ["a session without a folder", (client: Anything) => client.newSession()],
  ["a session with a folder that is none", (client: Anything) => client.newSession({ cwd: 3 })],
  ["an earlier session without a folder", (client: Anything) => client.loadSession("one")],
  ["a prompt of nothing", async (client: Anything) => (await client.newSession({ cwd })).prompt()],
])("%s is refused in words", async (_, act) => {
  const { open } = scripted(app);
  const client = await connected(open);
  await expect(act(client)).rejects.toMatchObject({ name: "TroupeError", type: "unsupported" });
  await client.close();
});
test("a client says nothing on standard output", async () => {
  const write = vi.spyOn(process.stdout, "write");
  const { open } = scripted(app);
  await (await connected(open)).close();
  expect(write).not.toHaveBeenCalled();
  write.mockRestore();
});
