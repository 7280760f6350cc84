import { expect, test } from "vitest";
import { ClientMask } from "../../../actors/acp-client/client-mask.ts";
import { ClientError } from "../../../actors/acp-client/errors.ts";

const SECRETS = [
  "of-env-1234",
  "of-args-1234",
  "of-token-1234",
  "of-header-1234",
  "of-url-1234",
  "given-1234",
  "mine-1234",
];

test("knows what an agent is started with, reached by and handed (I1)", () => {
  const mask = new ClientMask({
    env: { ANY: "of-env-1234" },
    args: ["--api-key", "of-args-1234"],
    url: "wss://ann:of-url-1234@host",
    token: "of-token-1234",
    headers: { Authorization: "Bearer of-header-1234" },
    secrets: ["given-1234"],
    environment: { MY_TOKEN: "mine-1234", EDITOR: "vi" },
  });
  for (const secret of SECRETS) expect(mask.text(`it said ${secret}.`)).toBe("it said ***.");
  expect(mask.text("server-1234")).toBe("server-1234");
  mask.learnServers([
    { name: "one", command: "x", args: ["--token=by-arg-1234"], env: [{ name: "ANY", value: "server-1234" }] },
    { type: "http", name: "two", url: "http://host", headers: [{ name: "Authorization", value: "Bearer web-1234" }] },
  ]);
  expect(mask.text("server-1234 by-arg-1234 web-1234")).toBe("*** *** ***");
});

test("an error of ours keeps its type and loses the secret, in words and details (I1)", () => {
  const mask = new ClientMask({ token: "of-token-1234" });
  const error = new ClientError("refused", "no: of-token-1234", { code: 7, data: { said: ["of-token-1234"] } });
  expect(mask.error(error)).toMatchObject({
    type: "refused",
    message: "no: ***",
    details: { code: 7, data: { said: ["***"] } },
  });
  const plain = new ClientError("eof", "gone");
  expect(mask.error(plain)).toBe(plain);
});

test("a text that comes in pieces is masked as a whole", () => {
  const stream = new ClientMask({ token: "of-token-1234" }).stream();
  expect(["say of-tok", "en-12", "34!"].map((piece) => stream.push(piece)).join("") + stream.end()).toBe("say ***!");
});
