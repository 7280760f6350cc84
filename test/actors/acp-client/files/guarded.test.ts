/** `actors/acp-client/files/guarded.ts`: names that count, however they are written (I1). */
import { expect, test } from "vitest";
import { mayHoldSecret, writeGuard } from "../../../../actors/acp-client/files/guarded.ts";

test.each([
  ...[".git/config", "sub/.GIT/hooks/x", ".vscode/tasks.json", ".VSCode/x", ".vſcode/tasks.json", ".curſor/x"],
  ...[".troupe/workflows/a.yaml", ".bashrc", ".baſhrc", ".zſhrc", ".env", ".ENV.local", ".npmrc", ".ﬁ/.git"],
])("%s is not written", (path) => expect(writeGuard(path.split("/"))).not.toBeNull());

test.each(["src/a.ts", "git/config", ".gitignore", ".github/x", "vscode/x", "env"])("%s is", (path) =>
  expect(writeGuard(path.split("/"))).toBeNull(),
);

test("what may hold a secret does so in every way of writing it", () => {
  const names = [".env", ".ENV", "a.PEM", "b.key", "id_rsa", "ID_ED25519", "ıd_rsa", "a.ts"];
  expect(names.filter(mayHoldSecret)).toEqual(names.slice(0, -1));
});
