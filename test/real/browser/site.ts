/** A web site on this machine, under two names: `localhost` and `127.0.0.1` are two origins to a browser. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const PROGRAMS = fileURLToPath(new URL("./programs/", import.meta.url));
const PAGES = ["acp", "events"] as const;
export type PageName = (typeof PAGES)[number];

const html = (name: PageName): string => `<!doctype html>
<meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,">
<p id="state">loading</p><ol id="seen"></ol><p id="question"></p>
<form><input name="text" autocomplete="off" disabled></form>
<script type="module" src="/${name}.js"></script>`;

/** A page's program with the libraries that it imports, as a browser runs it. */
async function built(name: PageName): Promise<string> {
  const bundle = await rolldown({ input: `${PROGRAMS}${name}.mjs`, platform: "browser" });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  return output[0].code;
}

export class Site {
  readonly #server: Server;
  private constructor(server: Server) {
    this.#server = server;
  }
  static async open(): Promise<Site> {
    const scripts = new Map<string, string>(
      await Promise.all(PAGES.map(async (name) => [`/${name}.js`, await built(name)] as const)),
    );
    const pages = new Map<string, string>(PAGES.map((name) => [`/${name}`, html(name)] as const));
    const server = createServer(({ url = "" }, response) => {
      const { pathname } = new URL(url, "http://site");
      const [script, page] = [scripts.get(pathname), pages.get(pathname)];
      const type = script === undefined ? "text/html" : "text/javascript";
      response.writeHead(script === undefined && page === undefined ? 404 : 200, { "content-type": type });
      response.end(script ?? page ?? "");
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return new Site(server);
  }

  origin(name: "127.0.0.1" | "localhost"): string {
    return `http://${name}:${(this.#server.address() as AddressInfo).port}`;
  }
  page(origin: string, name: PageName, asked: { readonly [name: string]: string }): string {
    return `${origin}/${name}?${new URLSearchParams(asked)}`;
  }
  async leave(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), "close");
  }
}
