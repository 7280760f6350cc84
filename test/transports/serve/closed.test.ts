/** Covers `closed.ts` with answers of both versions of HTTP whose clients hang up. */
import { createServer, get, type ServerResponse } from "node:http";
import { connect, createServer as createHttp2 } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { whenClosed } from "../../../transports/serve/closed.ts";

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
type Asked = (at: string) => () => void;
/** Each asks, and answers what hangs up. */
const byHttp1: Asked = (at) => {
  const asked = get(at).on("error", () => undefined);
  return () => asked.destroy();
};
const byHttp2 =
  (method: string): Asked =>
  (at) => {
    const session = connect(at);
    session.request({ ":path": "/", ":method": method }).on("error", () => undefined);
    return () => session.destroy();
  };

type Answers = (request: unknown, response: unknown) => void;
test.each<[string, (answers: Answers) => Server, Asked]>([
  ["HTTP/1.1", (answers) => createServer(answers), byHttp1],
  ["HTTP/2", (answers) => createHttp2(answers) as unknown as Server, byHttp2("GET")],
  ["a HEAD of HTTP/2", (answers) => createHttp2(answers) as unknown as Server, byHttp2("HEAD")],
])(
  "of %s an answer that closes is heard of, also by who asks when it has closed (I1, I2)",
  async (_, create, asked) => {
    const taken = Promise.withResolvers<ServerResponse>();
    const hangUp = asked(await listening(create((_request, response) => taken.resolve(response as ServerResponse))));
    const response = await taken.promise;
    const heard: string[] = [];
    whenClosed(response, () => heard.push("in time"));
    expect(heard).toEqual([]);
    hangUp();
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual(["in time"]);
    whenClosed(response, () => heard.push("late"));
    expect(heard).toEqual(["in time", "late"]);
  },
);
