/** What `troupe ui` says where it cannot draw. */
import { expect, test } from "vitest";
import { ui } from "../../../transports/cli/commands/ui.ts";
import type { Io } from "../../../transports/cli/io.ts";
import { recordingIo } from "./io.ts";

const keys = () => () => undefined;
test.each<[string, Partial<Io>, string]>([
  ["no terminal", {}, "it needs a terminal:"],
  ["a pipe in a terminal that cannot draw", { keys, env: { TERM: "dumb" } }, "it needs a terminal:"],
  [
    "a terminal that cannot draw",
    { keys, columns: 80, env: { TERM: "dumb" } },
    "a terminal cannot be drawn on with TERM=dumb:",
  ],
])("on %s it says what is missing, and what prints instead", async (_, changes, message) => {
  const context = { io: recordingIo(changes), format: "text" as const };
  await expect(ui(context, { plain: false, trustAgent: [] })).rejects.toThrow(
    `${message} troupe history and troupe status print`,
  );
});
