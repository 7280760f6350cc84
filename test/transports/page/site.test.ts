import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type House, openHouse } from "../../support/house.ts";
import { addressIn, ask, NO_BROWSER, openedFile, ownPage, passHeaders, signIn, ticketIn } from "../../support/page.ts";
import { type Server, startServer } from "../../support/server.ts";
import { tokenFile } from "./tokens.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
});
afterEach(() => house.leave());

const TOKEN = "o".repeat(32);
const serve = (...args: string[]): Promise<Server> => startServer(house, args, { TROUPE_TRUST: "1", ...NO_BROWSER });
const withToken = (): string[] => tokenFile(house, TOKEN);

describe("the page's files", () => {
  test("are given without a token, run no script of a document, and ask no other host", async () => {
    const { port } = await serve(...withToken());
    const page = await ask(port, "/");
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers["content-security-policy"]).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(page.headers["content-security-policy"]).not.toContain("unsafe");
    expect(page.body).not.toMatch(/<script(?![^>]*\bsrc="\/page\/page\.js")|<style|\son\w+=/);
    const script = await ask(port, "/page/page.js");
    expect([script.status, script.headers["content-type"]]).toEqual([200, "text/javascript; charset=utf-8"]);
    expect((await ask(port, "/page/page.css")).status).toBe(200);
    expect((await ask(port, "/page/nothing")).status).toBe(404);
    expect(await ask(port, "/", { method: "POST", headers: ownPage(port) })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD" },
      body: expect.stringContaining("ACP over HTTP is at /acp"),
    });
    expect((await ask(port, "/api/runs")).status).toBe(401);
  });

  test("are given again only where they have changed", async () => {
    const { port } = await serve();
    for (const path of ["/", "/page/page.js", "/page/page.css"]) {
      const { headers } = await ask(port, path);
      const etag = String(headers.etag);
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      const again = (tags: string, method = "GET") => ask(port, path, { method, headers: { "if-none-match": tags } });
      for (const tags of [etag, `"other", ${etag}`, `W/${etag}`, "*"])
        expect(await again(tags), tags).toMatchObject({
          ...{ status: 304, body: "" },
          headers: { etag, "cache-control": "no-cache", "content-security-policy": expect.any(String) },
        });
      expect((await again(etag, "HEAD")).status).toBe(304);
      expect((await again('"other"')).status).toBe(200);
    }
  });

  test("a link of another site shows the page; nothing else of another site gets it", async () => {
    const { port } = await serve();
    const from = (dest: string) => ({ headers: { "sec-fetch-site": "cross-site", "sec-fetch-dest": dest } });
    const statuses = await Promise.all(
      ["document", "iframe", "script", "image"].map((dest) => ask(port, "/", from(dest))),
    );
    expect(statuses.map(({ status }) => status)).toEqual([200, 403, 403, 403]);
    expect((await ask(port, "/", { headers: { host: `evil.example:${port}` } })).status).toBe(403);
  });
});

describe("a page that signs in", () => {
  test("by the ticket of --open, which stands in a file of the user alone, and counts once", async () => {
    const server = await serve("--open", ...withToken());
    const { port } = server;
    const file = await openedFile(server);
    expect([statSync(dirname(file)).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    const address = addressIn(file);
    expect(address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/#open=[\\w-]{43}$`));
    const ticket = ticketIn(address);
    const pass = await signIn(port, { ticket });
    await expect(signIn(port, { ticket })).rejects.toThrow("401");
    expect((await ask(port, "/api/runs", { headers: passHeaders(pass) })).status).toBe(200);
    server.process.child.kill("SIGTERM");
    await server.process.ended;
    expect(() => readFileSync(file)).toThrow("ENOENT");
    for (const word of [ticket, pass.secret, pass.cookie.split("=")[1] ?? ""])
      expect(server.process.stderr).not.toContain(word);
  });

  test("has a cookie that no script and no other site has, and a secret that goes into a header", async () => {
    const { port } = await serve();
    const answer = await ask(port, "/page/session", { method: "POST", headers: ownPage(port), body: {} });
    expect(answer.headers["set-cookie"]?.[0]).toMatch(
      new RegExp(`^troupe-page-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(JSON.parse(answer.body)).toEqual({ secret: expect.stringMatching(/^[\w-]{43}$/), subject: null });
  });

  test("by a token where the server has tokens, and is whose the token is", async () => {
    const { port } = await serve(...withToken());
    await expect(signIn(port)).rejects.toThrow("401");
    await expect(signIn(port, {}, { authorization: `Bearer ${"x".repeat(32)}` })).rejects.toThrow("401");
    const ann = await signIn(port, {}, { authorization: `Bearer ${"t".repeat(32)}` });
    const trust = await ask(port, "/api/trust", { headers: passHeaders(ann) });
    expect([trust.status, JSON.parse(trust.body)]).toMatchObject([403, { code: "USER.TRUST.NOT_YOURS" }]);
    const own = await signIn(port, {}, { authorization: `Bearer ${TOKEN}` });
    expect((await ask(port, "/api/trust", { headers: passHeaders(own) })).status).toBe(200);
  });

  test("starts a run from its own origin; without having signed in it may only read", async () => {
    const { port } = await serve();
    const start = (headers: { [name: string]: string }) =>
      ask(port, "/api/runs", { method: "POST", headers, body: { workflow: "hello" } });
    expect((await start(ownPage(port))).status).toBe(403);
    expect((await ask(port, "/api/runs", { headers: { "sec-fetch-site": "same-origin" } })).status).toBe(200);
    const pass = passHeaders(await signIn(port));
    expect((await start({ ...ownPage(port), ...pass })).status).toBe(202);
    expect((await start(pass)).status).toBe(403);
  });

  test("behind what ends TLS, by the name that the browser asked for", async () => {
    const { port } = await serve("--allow-host", "runs.example:8443");
    const from = (origin: string) => ({ host: "runs.example:8443", origin });
    const headers = { ...ownPage(port), ...from("https://runs.example:8443") };
    const answer = await ask(port, "/page/session", { method: "POST", headers, body: {} });
    expect([answer.status, answer.headers["set-cookie"]?.[0]]).toEqual([200, expect.stringMatching(/; Secure$/)]);
    const pass = await signIn(port, {}, headers);
    const started = await ask(port, "/api/runs", {
      method: "POST",
      headers: { ...headers, ...passHeaders(pass) },
      body: { workflow: "hello" },
    });
    expect(started.status).toBe(202);
    await expect(signIn(port, {}, from("https://runs.example"))).rejects.toThrow("docs/serve.md");
    await expect(signIn(port, {}, from("https://other.example:8443"))).rejects.toThrow("403");
  });

  test("what is no sign-in is a problem, and lets no one in", async () => {
    const { port } = await serve();
    const post = (body: unknown) => ask(port, "/page/session", { method: "POST", headers: ownPage(port), body });
    const answers = await Promise.all([post({ ticket: 1 }), post({ ticket: "" }), post("x".repeat(5_000))]);
    expect(answers.map(({ status }) => status)).toEqual([400, 401, 413]);
    expect(await ask(port, "/page/session", { headers: ownPage(port) })).toMatchObject({
      status: 405,
      headers: { allow: "POST" },
    });
    expect(answers.every(({ headers }) => headers["set-cookie"] === undefined)).toBe(true);
  });
});
