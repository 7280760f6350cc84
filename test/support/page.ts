/** The page's sign-in, as a browser does it, or as a program that pretends to be one. */
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import type { Server } from "./server.ts";

/** What a page has once it has signed in. */
export type Pass = { cookie: string; secret: string };
export type PageAnswer = { status: number; body: string; headers: { [name: string]: string | string[] | undefined } };
type Asking = { method?: string; headers?: { [name: string]: string }; body?: unknown };

const OPENS = /the page opens within a minute, once: (\S+)/;
/** For the environment of a server with `--open`: nothing is opened. */
export const NO_BROWSER = { BROWSER: "/bin/true" };

/** The file that a server with `--open` has its browser open. */
export async function openedFile({ process: started }: Pick<Server, "process">): Promise<string> {
  const url = await new Promise<string>((resolve) => {
    const look = (): void => {
      const [, found] = OPENS.exec(started.stderr) ?? [];
      if (found !== undefined) resolve(found);
    };
    started.child.stderr.on("data", look);
    look();
  });
  return fileURLToPath(url);
}
/** The address in it, with its ticket. */
export const addressIn = (file: string): string => /url=(http[^"]+)"/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
export const ticketIn = (address: string): string => /#open=([\w-]+)$/.exec(address)?.[1] ?? "";

/** A request with these headers and no others: `fetch` would choose some itself. */
export const ask = (
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: Asking = {},
): Promise<PageAnswer> =>
  new Promise((resolve, reject) => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const all = { ...json, ...headers };
    const asked = request({ host: "127.0.0.1", port, path, method, headers: all, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
    });
    asked.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });

/** What a browser says of a request that a page of ours sends. */
export const ownPage = (port: number): { origin: string; "sec-fetch-site": string } => ({
  origin: `http://127.0.0.1:${port}`,
  "sec-fetch-site": "same-origin",
});

/** Signs a page in; throws where that is refused. */
export async function signIn(
  port: number,
  given: { ticket?: string } = {},
  headers: Asking["headers"] = {},
): Promise<Pass> {
  const answer = await ask(port, "/page/session", {
    method: "POST",
    headers: { ...ownPage(port), ...headers },
    body: given,
  });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  const [line = ""] = answer.headers["set-cookie"] ?? [];
  return { cookie: line.split(";", 1)[0] ?? "", secret: (JSON.parse(answer.body) as { secret: string }).secret };
}
export const passHeaders = ({ cookie, secret }: Pass): { [name: string]: string } => ({
  cookie,
  "troupe-page": secret,
});
